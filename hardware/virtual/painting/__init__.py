"""How a scene becomes a picture: light, shadows, pieces, hands, the sensor."""
