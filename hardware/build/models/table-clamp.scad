// Holds the upright tube at the edge of a table. Print one, lying on its side: no support.
include <joints.scad>

table = 45;         // the thickest table it goes round
deep = 45;          // how far it reaches over the table
broad = 40;
thick = 14;
bolt = 8;           // M8 x 60, hexagonal, from below; a rubber foot or a coin between it and the table
bolt_nut = 13;
bolt_nut_high = 6.5;

module profile() {
    square([deep + thick, thick]);
    square([thick, table + 2 * thick]);
    translate([0, table + thick]) square([deep + thick, thick]);
    // Fillets, where it would break.
    translate([thick, thick]) difference() { square(10); translate([10, 10]) circle(10); }
    translate([thick, table + thick - 10]) difference() { square(10); translate([10, 0]) circle(10); }
}

difference() {
    union() {
        linear_extrude(broad) profile();
        // The tube stands behind the edge: room for chairs and knees stays free.
        translate([-(tube / 2 + wall) + 4, 0, broad / 2]) rotate([-90, 0, 0]) rotate(-90)
            tube_clamp(table + 2 * thick);
    }
    translate([-(tube / 2 + wall) + 4, 0, broad / 2]) rotate([-90, 0, 0]) rotate(-90) {
        translate([0, 0, -1]) cylinder(d = tube + play, h = table + 2 * thick + 2);
        translate([-slit / 2, -tube - 20, -1]) cube([slit, tube + 20, table + 2 * thick + 2]);
        for (z = [14, table + 2 * thick - 14])
            translate([0, -(tube / 2 + wall + 0.6), z]) rotate([0, 90, 0]) screw_hole(18);
    }
    translate([thick + deep * 0.55, thick / 2, broad / 2]) rotate([-90, 0, 0]) {
        translate([0, 0, -thick]) cylinder(d = bolt + 0.5, h = 2 * thick);
        translate([0, 0, thick / 2 - bolt_nut_high]) cylinder(d = (bolt_nut + 0.4) / cos(30), h = bolt_nut_high + 1, $fn = 6);
    }
}
