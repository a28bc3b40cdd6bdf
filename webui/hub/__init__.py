"""The hub's page: all tables of a club on one screen. Like the table's page it is told what to show."""

from webui.hub.app import create_hub_app

__all__ = ["create_hub_app"]
