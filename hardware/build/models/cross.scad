// Joins two tubes at right angles: one stands, one lies. Print two.
include <joints.scad>

difference() {
    union() {
        standing_clamp(clamp_long);
        translate([0, cross_apart, 0]) lying_clamp(clamp_long);
        translate([-clamp_long / 2, 0, 0]) cube([clamp_long, cross_apart, clamp_lying_at]);
        translate([-clamp_long / 2, 0, 0]) cube([clamp_long, cross_apart - bore / 2 - clamp_wall + 1, clamp_long]);
    }
    standing_clamp_cut(clamp_long);
    translate([0, cross_apart, 0]) lying_clamp_cut(clamp_long);
}
