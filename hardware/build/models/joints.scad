// What several parts share: rounded blocks, holes that print without support, and the clamps that hold a tube.
// Millimetres. Every part lies as it is printed: no supports. The numbers are in sizes.scad.
include <sizes.scad>

$fn = 64;
bore = tube_outer + print_play;
ring = bore + 2 * clamp_wall;

module rounded(size, r = 3) {
    linear_extrude(size[2])
        offset(r) offset(-r) square([size[0], size[1]], center = true);
}

// The outline of a lying hole: its roof is a ridge of 45 degrees, which needs no support.
module teardrop(d) {
    circle(d = d);
    rotate(45) square(d / 2);
}

// A hole along y from y = 0, its ridge upwards.
module lying_hole(d, long) {
    rotate([90, 0, 0]) translate([0, 0, -long]) linear_extrude(long) teardrop(d);
}

// A pocket along y for a nut, a flat side up: a short bridge.
module lying_nut(flats, deep) {
    rotate([90, 0, 0]) translate([0, 0, -deep])
        cylinder(d = (flats + print_play) / cos(30), h = deep, $fn = 6);
}

// An M4 screw along y through two ears, its head at -y, its nut in a pocket at +y.
module ear_screw() {
    translate([0, -clamp_ears / 2 - 1, 0]) lying_hole(m4_diameter + print_play, clamp_ears + 2);
    translate([0, clamp_ears / 2 - m4_nut_high - 0.2, 0]) lying_nut(m4_nut, m4_nut_high + 2);
}

// For a tube along z: a ring with two ears towards -y.
module standing_clamp(high) {
    cylinder(d = ring, h = high);
    translate([-clamp_ears / 2, -clamp_ears_end, 0]) cube([clamp_ears, clamp_ears_end, high]);
}

module standing_clamp_cut(high) {
    translate([0, 0, -1]) cylinder(d = bore, h = high + 2);
    translate([-clamp_slit / 2, -clamp_ears_end - 1, -1]) cube([clamp_slit, clamp_ears_end, high + 2]);
    translate([0, -clamp_screw_at, high / 2]) rotate(90) ear_screw();
}

// For a tube along x, printed lying: the bore's roof is the ridge of a teardrop, the slit runs up from it between two ears.
module lying_clamp(long, at = clamp_lying_at) {
    reach = bore / sqrt(2) + clamp_wall * sqrt(2);      // of the shoulders above the tube's axis, in the middle
    translate([-long / 2, 0, 0]) rotate([90, 0, 90]) linear_extrude(long) {
        polygon([
            [-ring / 2, 0], [ring / 2, 0],
            [ring / 2, at + reach - ring / 2], [clamp_ears / 2, at + reach - clamp_ears / 2],
            [clamp_ears / 2, at + clamp_ears_end], [-clamp_ears / 2, at + clamp_ears_end],
            [-clamp_ears / 2, at + reach - clamp_ears / 2], [-ring / 2, at + reach - ring / 2],
        ]);
    }
}

module lying_clamp_cut(long, at = clamp_lying_at, screws = [0]) {
    translate([-long / 2 - 1, 0, at]) rotate([90, 0, 90]) linear_extrude(long + 2) rotate(0) teardrop(bore);
    translate([-long / 2 - 1, -clamp_slit / 2, at]) cube([long + 2, clamp_slit, clamp_ears_end + 1]);
    for (x = screws) translate([x, 0, at + clamp_screw_at]) ear_screw();
}
