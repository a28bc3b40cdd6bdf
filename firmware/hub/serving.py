"""`magister hub`: the broker, the database and the page, in one program."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.hub.assembly import Hub, HubPlan
from firmware.hub.broker import Listening
from firmware.hub.club import HubClub, join_command
from firmware.hub.database import TROUBLE, open_database, reason
from firmware.hub.people import ROLES, People
from firmware.log.disk.place import default_log
from firmware.machine.errors import UsageError
from firmware.machine.network import own_address
from firmware.page.connections import PageServer
from firmware.page.greeting import EVERYWHERE, greeting_address
from firmware.page.server import BACKLOG, listen_at
from webui.hub import create_hub_app
from webui.table.stream import MOST_LISTENERS

SPARE_THREADS = 16
FILE = "hub.sqlite"


def plan_of(args: argparse.Namespace) -> HubPlan:
    database = args.database or f"sqlite:///{default_log().with_name(FILE)}"
    certificate: Path | None = args.certificate
    if args.broker and certificate is not None:
        raise UsageError("--certificate is for the hub's own broker: leave it out, or --broker")
    port = args.mqtt_port if args.mqtt_port is not None else 8883 if certificate is not None else 1883
    return HubPlan(
        database, args.broker or "", args.ca, Listening(args.host or "127.0.0.1", port, certificate, args.key)
    )


def serve(args: argparse.Namespace) -> int:
    """Until Ctrl-C."""
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="hub: %(message)s")
    for quiet in ("alembic", "amqtt", "transitions"):
        logging.getLogger(quiet).setLevel(logging.CRITICAL)
    host = args.host or "127.0.0.1"
    bound = listen_at(
        {
            "host": host,
            "port": args.port if args.port is not None else 8100,
            "tries": 1 if args.port is not None else 20,
        }
    )
    if isinstance(bound, str):
        raise UsageError(bound)
    with bound, _telling(), Hub(plan_of(args), _say) as hub:
        address = greeting_address(host, bound.getsockname()[1])
        broker = _broker_address(hub, host)
        app = create_hub_app(
            HubClub(hub, broker),
            hub.secret(),
            has_own_broker=hub.has_own_broker,
            names=frozenset(args.name or ()),
        )
        print(f"The hub's page: {address}", flush=True)
        print(f"Tables join at {broker}", flush=True)
        if not hub.people.has_director():
            print(f"Become its director: {address}join/{hub.people.invite('director')}", flush=True)
        PageServer(
            app,
            bound,
            threads=MOST_LISTENERS + SPARE_THREADS,
            backlog=BACKLOG,
            asyncore_use_poll=True,
            outbuf_high_watermark=1024 * 1024,
            ident="Magister Ludi",
            clear_untrusted_proxy_headers=True,
        ).run()
    return 0


def invite(args: argparse.Namespace) -> int:
    """Print an invitation, for who has no director at hand."""
    plan = plan_of(args)
    engine = open_database(plan.database)
    try:
        people = People(engine, time.time)
        if args.invite in ROLES:
            address = greeting_address(args.host or "127.0.0.1", args.port or 8100)
            print(f"{address}join/{people.invite(args.invite)}")
        else:
            _, _, name = args.invite.partition("table=")
            try:
                token = people.invite_table(name)
            except ValueError as error:
                raise UsageError(f"invite {', '.join(ROLES)} or table=NAME, not {args.invite!r}") from error
            scheme = "mqtts" if plan.listening.certificate else "mqtt"
            print(join_command(f"{scheme}://{_shown(args.host or '127.0.0.1')}:{plan.listening.port}", name, token))
    finally:
        engine.dispose()
    return 0


@contextmanager
def _telling() -> Iterator[None]:
    """What the database says while all is being opened, in one line."""
    try:
        yield
    except TROUBLE as error:
        raise UsageError(f"cannot use the database: {reason(error)}") from error


def _broker_address(hub: Hub, host: str) -> str:
    scheme = "mqtts" if hub.address.tls else "mqtt"
    shown = _shown(host) if hub.has_own_broker else hub.address.host
    return f"{scheme}://{shown}:{hub.address.port}"


def _shown(host: str) -> str:
    return own_address() if host in EVERYWHERE else f"[{host}]" if ":" in host else host


def _say(text: str) -> None:
    print(f"magister hub: {text}", file=sys.stderr, flush=True)
