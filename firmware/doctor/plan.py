"""`magister doctor` before anything is built: where to mount the camera, and which wire goes where."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from math import atan, cos, degrees, radians
from pathlib import Path

from engine.core import Game, Json
from engine.registry import all_games, find_game
from firmware.devices.chain import CHANNEL_MA, IDLE_MA
from firmware.machine.errors import UsageError
from firmware.machine.files import places_of, write_whole
from firmware.settings.arguments import USUAL_GAME
from firmware.settings.config import Config
from firmware.settings.eyes import can_follow, read_lens, refereed
from firmware.settings.pins import HEADER, SPI0
from hardware.build.diagram import draw_wiring
from hardware.build.electrics import chain_budget
from hardware.build.plan import CameraPlan, best_distance, good_distances, make_plan
from hardware.build.range_drawing import draw_plan
from hardware.build.sizes import Module, modules
from hardware.build.stand import Mounting, mounting
from hardware.build.wiring import wires
from hardware.virtual.camera import Pose
from hardware.virtual.errors import PoseError


def camera_plan(args: argparse.Namespace) -> int:
    """Print whether everything is in view, and how large; exit code 1 if it is outside the promised range."""
    game = find_game(args.game or USUAL_GAME)
    seats = args.players or max(game.seats)
    if seats not in game.seats:
        raise UsageError(f"{game.name} is for {', '.join(map(str, game.seats))} players, not {seats}")
    if args.drawing is not None:
        places_of(args.drawing, _inputs(args))
    board = game.board(seats)
    config = Config.load(args.config)
    module = _module(args)
    pose = Pose(
        tilt=args.tilt,
        direction=args.direction,
        hfov=_hfov(args, module),
        size=(config.camera.width, config.camera.height),
    )
    try:
        distance = _distance(args, best_distance(board, pose) or 700.0)
        plan, span = make_plan(board, replace(pose, distance=distance)), good_distances(board, pose)
    except PoseError as error:
        raise UsageError(str(error)) from error
    stand = mounting(module, plan.pose.distance, plan.pose.tilt, board.base.size[1])
    if args.drawing is not None:
        write_whole(args.drawing, draw_plan(plan, span, stand=stand), spared=_inputs(args))
    if args.json:
        facts = {"module": module.name, "refereed": can_follow(game), "stand": _stand_record(stand)}
        print(json.dumps(_record(plan, span) | facts))
    else:
        print("\n".join([*_told(plan, span), *_stand_told(module, stand), _refereed(game), _verdict(plan)]))
    return 0 if not plan.problems else 1


def _module(args: argparse.Namespace) -> Module:
    known = modules()
    if args.module not in known:
        raise UsageError(f"unknown camera '{args.module}'; there are: {', '.join(known)} (or give --hfov)")
    return known[args.module]


def _stand_record(stand: Mounting) -> Json:
    return {
        "edge": round(stand.edge),
        "arm": round(stand.arm),
        "reach": round(stand.reach),
        "long_enough": stand.is_built,
    }


def _stand_told(module: Module, stand: Mounting) -> list[str]:
    lines = [
        f"stand:  for {module.title}: middle of the arm {stand.arm:.0f} mm above the table, camera's tube",
        f"        {stand.reach:.0f} mm from the upright, board's centre {stand.edge:.0f} mm from the table's edge",
    ]
    return lines if stand.is_built else [*lines, "        (longer than the tubes of the parts list: buy longer ones)"]


def _refereed(game: Game) -> str:
    if can_follow(game):
        return f"game:   {game.name} can be refereed by camera"
    return f"game:   {game.name} cannot be refereed by camera yet; these can: {', '.join(refereed())}"


def _verdict(plan: CameraPlan) -> str:
    return "fine." if not plan.problems else "this will not work."


def _hfov(args: argparse.Namespace, module: Module) -> float:
    if args.lens is not None:
        lens = read_lens(args.lens)
        assert lens is not None, "a lens that was named is read or refused"
        return 2 * degrees(atan(lens.size[0] / 2 / lens.fx))
    return module.hfov if args.hfov is None else float(args.hfov)


def _distance(args: argparse.Namespace, best: float) -> float:
    if args.height is not None and args.distance is not None:
        raise UsageError("use either --height or --distance, not both: one follows from the other and the tilt")
    if args.height is not None:
        return float(args.height / cos(radians(args.tilt)))
    return float(args.distance) if args.distance is not None else best


def _record(plan: CameraPlan, span: tuple[float, float] | None) -> Json:
    pose = plan.pose
    return {
        "game": plan.board.game,
        "ok": not plan.problems,
        "camera": {
            "distance": round(pose.distance, 1),
            "height": round(plan.lens_height, 1),
            "aside": round(plan.aside, 1),
            "tilt": pose.tilt,
            "hfov": round(pose.hfov, 1),
            "size": list(pose.size),
        },
        "whole": plan.is_whole,
        "spare_pixels": round(plan.spare, 1),
        "cell_pixels": round(plan.cell, 1),
        "pieces_pixels": {name: [round(size, 1) for size in sizes] for name, sizes in plan.pieces.items()},
        "level_pixels": round(plan.level, 1),
        "distances": None if span is None else list(span),
        "problems": plan.problems,
    }


def _told(plan: CameraPlan, span: tuple[float, float] | None) -> list[str]:
    pose = plan.pose
    lines = [
        f"{plan.board.game}: a board of {plan.board.base.size[0]:.0f} x {plan.board.base.size[1]:.0f} mm",
        f"camera: {pose.hfov:.0f} degrees wide, {pose.size[0]}x{pose.size[1]} pixels",
        f"lens:   {pose.distance:.0f} mm from the board's centre, tilted by {pose.tilt:.0f} degrees,",
        f"        so {plan.lens_height:.0f} mm above the table and {plan.aside:.0f} mm beside the centre",
        f"view:   {'whole board' if plan.is_whole else 'NOT the whole board'}, {plan.spare:.0f} pixels to spare",
        f"pixels: {plan.cell:.1f} per cell of the black squares",
    ]
    lines += [f"        {name}: {small:.0f} to {large:.0f} wide" for name, (small, large) in plan.pieces.items()]
    if plan.level:
        lines.append(f"        one more piece lifts the top of a stack by at least {plan.level:.1f}")
    if span is None:
        lines.append("range:  no distance fits this lens and tilt: use another lens, or turn the camera by a quarter")
    else:
        low, high = (each * cos(radians(pose.tilt)) for each in span)
        lines.append(
            f"range:  {span[0]:.0f} to {span[1]:.0f} mm with this tilt: {low:.0f} to {high:.0f} mm above the table"
        )
    return [*lines, *(f"but:    {problem}" for problem in plan.problems)]


def _inputs(args: argparse.Namespace) -> list[Path]:
    return [path for path in (args.config, args.lens) if path is not None]


def wiring(args: argparse.Namespace) -> int:
    """Print which wire goes where, from the settings in force; with --drawing also draw the diagram."""
    config = Config.load(args.config)
    build = "deluxe" if config.lights.chain else "table"
    plan = wires(build, config.pins, HEADER, SPI0)
    if args.drawing is not None:
        most = max(len(game.board(max(game.seats)).sites) for game in all_games() if can_follow(game))
        power = chain_budget(most, config.lights.budget_ma, IDLE_MA, CHANNEL_MA)
        drawn = draw_wiring(plan, common_anode=config.lights.common_anode, budget=power)
        write_whole(args.drawing, drawn, spared=_inputs(args))
    if args.json:
        print(json.dumps([{"name": w.name, "gpio": w.gpio, "header": w.header, "kind": w.kind} for w in plan]))
    else:
        for wire in plan:
            print(f"{wire.name:<13} GPIO {wire.gpio:<3} header pin {wire.header:<3} {wire.kind} {wire.colour}".rstrip())
    return 0
