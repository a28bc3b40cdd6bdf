// What several parts share: rounded blocks, screws, and the clamp that holds a tube.
// Millimetres throughout. All holes are for metric machine screws, the nuts lie in pockets.

tube = 16;          // outer diameter of the tubes of the stand
play = 0.3;         // between a printed hole and what goes into it
wall = 5;           // round a tube
slit = 2.5;         // what a clamp can close
screw = 4;          // M4
nut = 7;            // across flats
nut_high = 3.2;
head = 7;           // of a cylinder-head screw

$fn = 64;

module rounded(size, r = 3) {
    linear_extrude(size[2])
        offset(r) offset(-r) square([size[0], size[1]], center = true);
}

// A hole along z with a pocket for a nut at its lower end and one for the screw's head at its upper end.
module screw_hole(long, d = screw, flats = nut, pocket = nut_high, head_d = head, head_deep = 0) {
    translate([0, 0, -long / 2 - 1]) cylinder(d = d + play, h = long + 2);
    translate([0, 0, -long / 2 - 1]) cylinder(d = (flats + play) / cos(30), h = pocket + 1, $fn = 6);
    if (head_deep > 0)
        translate([0, 0, long / 2 - head_deep]) cylinder(d = head_d + play, h = head_deep + 1);
}

// A clamp for a tube along z: a ring with two ears and a screw across the slit. Cut with tube_clamp_cut.
module tube_clamp(high) {
    cylinder(d = tube + 2 * wall, h = high);
    translate([0, -(tube / 2 + wall + 1), 0]) translate([-9, -5, 0]) cube([18, tube / 2 + wall, high]);
}

module tube_clamp_cut(high, through = true) {
    translate([0, 0, through ? -1 : wall]) cylinder(d = tube + play, h = high + 2);
    translate([-slit / 2, -tube - wall - 10, -1]) cube([slit, tube + wall + 10, high + 2]);
    translate([0, -(tube / 2 + wall + 0.6), high / 2]) rotate([0, 90, 0]) screw_hole(18);
}
