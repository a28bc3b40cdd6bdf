// The bar with status light, four player lights and four buttons. Print the body face down and the lid as it lies.
include <joints.scad>

part = "body";              // "body" or "lid"
long = bar_long;
broad = bar_broad;
high = bar_high;
skin = bar_skin;
led = bar_led;              // 5 mm LEDs, held by a drop of glue
button = bar_button;        // panel buttons with a 12 mm thread
corner = 7;                 // pillars for M3 screws
lights = [-86, -62, -46, -30, -14];     // status, then the players red, yellow, green, blue
buttons = [14, 40, 66, 92];             // confirm, undo, hint, new
cable = [16, 8];

module pillars(d, h) {
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (long / 2 - corner / 2 - skin), y * (broad / 2 - corner / 2 - skin), 0]) cylinder(d = d, h = h, $fn = 32);
}

module body() {
    difference() {
        rounded([long, broad, high], 5);
        translate([0, 0, skin]) rounded([long - 2 * skin, broad - 2 * skin, high], 4);
        for (x = lights) translate([x, x == lights[0] ? 0 : 6, -1]) cylinder(d = led, h = skin + 2);
        for (x = buttons) translate([x, 0, -1]) cylinder(d = button, h = skin + 2);
        // A dot of depth beside each player's light, one for red to four for blue: felt and seen without colour.
        for (k = [1 : 4], n = [1 : k])
            translate([lights[k] + 2.6 * (n - (k + 1) / 2), -4, -0.01]) cylinder(d = 1.6, h = 0.8, $fn = 16);
        // Towards -y: the lid's own notch comes to lie there when it is turned over and put on.
        translate([-cable[0] / 2, -broad / 2 - 1, high - cable[1]]) cube([cable[0], skin + 2, cable[1] + 1]);
    }
    difference() {
        intersection() {
            pillars(corner + 3, high - skin);
            rounded([long, broad, high], 5);
        }
        translate([0, 0, 8]) pillars(m3_pilot, high);
    }
}

module lid() {
    difference() {
        union() {
            rounded([long, broad, skin], 5);
            translate([0, 0, skin - 0.01]) difference() {
                rounded([long - 2 * skin - 2 * print_play, broad - 2 * skin - 2 * print_play, 3], 4);
                translate([0, 0, -1]) rounded([long - 2 * skin - 6, broad - 2 * skin - 6, 5], 3);
                translate([0, 0, -1]) pillars(corner + 4, 6);
                translate([-cable[0] / 2 - 1, broad / 2 - 10, -1]) cube([cable[0] + 2, 10, 6]);
            }
        }
        translate([0, 0, -1]) pillars(3.4, skin + 2);
        // Keyholes: it hangs on two screws at the table's edge, or stands on the table.
        for (x = [-70, 70]) translate([x, 0, -1]) {
            cylinder(d = 8, h = skin + 2);
            translate([-2, 0, 0]) cube([4, 9, skin + 2]);
        }
    }
}

if (part == "body") body();
if (part == "lid") lid();
