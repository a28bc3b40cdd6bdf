"""Teach the network that looks at sites: `python -m firmware.training.fit FOLDER OUT.onnx` (needs PyTorch).

`FOLDER` is what `firmware.training.gather` filled. One lot in twenty-five is held back and measured in the end.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.readers.stacks.site_views import CHANNELS, PLANES, SIDE

KINDS, LEVELS = 7, 6
"""Nothing, bare stones, four colours, covered; and how many stones."""
COVERED = KINDS - 1
BATCH, RATE = 2048, 3e-3
HELD_BACK = 25


class Lots:
    """All views that were gathered, on the device that learns."""

    def __init__(self, files: list[Path], device: str) -> None:
        parts = [dict(np.load(file)) for file in files]
        whole = {name: torch.from_numpy(np.concatenate([part[name] for part in parts])) for name in parts[0]}
        self.views = whole["views"].to(device).permute(0, 3, 1, 2).contiguous()
        self.angles, covered = whole["angles"].to(device), whole["covered"].to(device)
        kind, level = whole["truth"].to(device).unbind(1)
        self.kind = torch.where(covered > 0.5, torch.full_like(kind, COVERED), kind)
        self.level, self.tall = (level - 1).clamp(min=0), (level > 0) & (covered <= 0.5)
        self.weight = torch.where((covered > 0.4) & (covered < 0.6), 0.3, 1.0)
        self.clear = covered < 0.3

    def __len__(self) -> int:
        return len(self.views)


class Block(nn.Module):  # type: ignore[misc]
    """Two convolutions, the second on top of the first."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(before, after, 3, 2, 1), nn.BatchNorm2d(after), nn.ReLU())
        self.second = nn.Sequential(nn.Conv2d(after, after, 3, 1, 1), nn.BatchNorm2d(after), nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        first = self.first(x)
        return first + self.second(first)


class SiteClassifier(nn.Module):  # type: ignore[misc]
    """From the views of a site to how likely it shows each kind, and each height."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(CHANNELS, width, 4, 2, 1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            Block(width, 2 * width),
            Block(2 * width, 3 * width),
            nn.Conv2d(3 * width, 4 * width, 3),
            nn.BatchNorm2d(4 * width),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.15),
            nn.Linear(4 * width * (SIDE // 8 - 2) ** 2, 128),
            nn.ReLU(),
            nn.Linear(128, KINDS + LEVELS),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


def inputs(lots: Lots, chosen: Tensor, varied: bool) -> Tensor:
    """What the network is shown; varied as other cameras, lights and hands would."""
    views = lots.views[chosen].float() / 255
    if varied:
        views = vary(views)
    angles = lots.angles[chosen][:, :, None, None].expand(-1, -1, SIDE, SIDE)
    return torch.cat([views, angles], dim=1)


def vary(views: Tensor) -> Tensor:
    count, device = len(views), views.device

    def spread(sigma: float, *shape: int) -> Tensor:
        return torch.exp(torch.randn(count, *shape, device=device) * sigma)

    mirrored = torch.rand(count, device=device) < 0.5
    views = torch.where(mirrored[:, None, None, None], views.flip(-1), views)
    seen, printed = views[:, : 3 * PLANES].reshape(count, PLANES, 3, SIDE, SIDE), views[:, 3 * PLANES :]
    ramp = torch.linspace(-1, 1, SIDE, device=device)
    slope = torch.randn(count, 2, device=device) * 0.1
    shade = torch.exp(slope[:, 0, None, None] * ramp[:, None] + slope[:, 1, None, None] * ramp)[:, None, None]
    seen = seen.clamp(min=1e-3) ** spread(0.08, 1, 1, 1, 1) * spread(0.06, 1, 3, 1, 1) * spread(0.1, 1, 1, 1, 1) * shade
    grey = seen.mean(dim=2, keepdim=True)
    seen = grey + (seen - grey) * spread(0.15, 1, 1, 1, 1) + torch.rand(count, 1, 1, 1, 1, device=device) * 0.03
    blurred = functional.avg_pool2d(seen.reshape(count, 3 * PLANES, SIDE, SIDE), 3, 1, 1).reshape(seen.shape)
    soft = (torch.rand(count, device=device) < 0.25)[:, None, None, None, None]
    noise = torch.randn_like(seen) * torch.rand(count, 1, 1, 1, 1, device=device) * 0.03
    seen = (torch.where(soft, blurred, seen) + noise).clamp(0, 1)
    return torch.cat([seen.reshape(count, 3 * PLANES, SIDE, SIDE), printed], dim=1)


def loss(network: nn.Module, lots: Lots, chosen: Tensor) -> Tensor:
    with torch.autocast(chosen.device.type, torch.bfloat16):
        told = network(inputs(lots, chosen, varied=True)).float()
    kinds = functional.cross_entropy(told[:, :KINDS], lots.kind[chosen], reduction="none", label_smoothing=0.001)
    tall = lots.tall[chosen]
    heights = functional.cross_entropy(told[tall][:, KINDS:], lots.level[chosen][tall])
    return (kinds * lots.weight[chosen]).mean() + 0.5 * heights


def fit(network: nn.Module, pools: list[Lots], seconds: float, device: str) -> None:
    """Learn for so long, from all pools evenly."""
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-2)
    began, share, step, mean = time.monotonic(), 0.0, 0, 0.0
    each = BATCH // len(pools)
    while share < 1.0:
        rate = RATE * min(1.0, (step + 1) / 200) * (0.5 * (1 + math.cos(math.pi * share)) + 1e-3)
        for group in optimiser.param_groups:
            group["lr"] = rate
        losses = [loss(network, pool, torch.randint(len(pool), (each,), device=device)) for pool in pools]
        total = torch.stack(losses).mean()
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
        step += 1
        if step % 20 == 0:
            now = float(total.detach())
            mean = 0.9 * mean + 0.1 * now if mean else now
            share = (time.monotonic() - began) / seconds
        if step % 1000 == 0:
            print(f"{step} steps, {share:.0%}, loss {mean:.4f}", flush=True)
    print(step, "steps")


def measure(network: nn.Module, name: str, lots: Lots, device: str) -> None:
    with torch.no_grad():
        every = torch.arange(len(lots), device=device)
        told = torch.cat([network(inputs(lots, some, varied=False)) for some in every.split(4096)])
    kind, level = told[:, :KINDS].argmax(1), told[:, KINDS:].argmax(1)
    known = lots.clear & (lots.kind != COVERED)
    right, exact = (kind == lots.kind) | ~known, (level == lots.level) | ~lots.tall | ~known
    tall, leaning = lots.tall & known, lots.angles[:, 0] > 0.26
    figures = {
        "boards": len(lots) / 28,
        "kinds": right[known].float().mean(),
        "heights, slanted": exact[tall & leaning].float().mean(),
        "heights, from above": exact[tall & ~leaning].float().mean(),
        "seen, but called covered": (kind == COVERED)[known].float().mean(),
        "covered, and called so": (kind == COVERED)[lots.kind == COVERED].float().mean(),
        "boards with the right kinds": right.reshape(-1, 28).all(1).float().mean(),
        "boards right": (right & exact).reshape(-1, 28).all(1).float().mean(),
    }
    print(name, ", ".join(f"{what} {float(value):.4f}" for what, value in figures.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    asked = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    files = {name: sorted(asked.folder.glob(f"{name}-*.npz")) for name in ("traced", "drawn")}
    files = {name: some for name, some in files.items() if len(some) > 1}
    pools = [Lots([file for at, file in enumerate(some) if at % HELD_BACK], device) for some in files.values()]
    print({name: len(pool) // 28 for name, pool in zip(files, pools, strict=True)}, "pictures", flush=True)
    network = SiteClassifier().to(device)
    if asked.start:
        network.load_state_dict(torch.load(asked.start))
    fit(network.train(), pools, asked.seconds, device)
    network.eval()
    for name, some in files.items():
        measure(network, name, Lots(some[::HELD_BACK], device), device)
    torch.save(network.state_dict(), asked.out.with_suffix(".pt"))
    torch.onnx.export(
        network.cpu(),
        (torch.zeros(1, CHANNELS, SIDE, SIDE),),
        str(asked.out),
        opset_version=12,
        input_names=["views"],
        output_names=["told"],
        dynamic_axes={"views": {0: "sites"}, "told": {0: "sites"}},
        dynamo=False,
    )


if __name__ == "__main__":
    main()
