// Sits on the end of the table clamp's bolt and spares the table. Hole up; felt on the other side.
include <joints.scad>

difference() {
    union() {
        cylinder(d = table_pad[0], h = 3);
        cylinder(d1 = table_pad[0], d2 = m8_diameter + 6, h = table_pad[1]);
    }
    translate([0, 0, table_pad[1] - table_pad[2]]) cylinder(d = m8_diameter + 2 * print_play, h = 40);
}
