"""Many tables in one room: what a table tells a hub over MQTT, and the hub itself."""
