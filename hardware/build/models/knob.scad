// The knob of the table clamp's bolt: its hexagonal head is glued into the pocket. Pocket up.
include <joints.scad>

floor = 4;
lobes = 6;

difference() {
    linear_extrude(floor + m8_head_high + 3) difference() {
        circle(d = table_knob);
        for (k = [0 : lobes - 1]) rotate(360 / lobes * k) translate([table_knob / 2 + 4, 0]) circle(d = 14);
    }
    // The bolt goes through from the pocket's side; what is left of the pocket is filled with glue.
    translate([0, 0, -1]) cylinder(d = m8_diameter + 2 * print_play, h = 40);
    translate([0, 0, floor]) cylinder(d = (m8_nut + print_play) / cos(30), h = 40, $fn = 6);
}
