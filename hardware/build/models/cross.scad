// Joins two tubes at right angles. Print two, as they lie.
include <joints.scad>

high = 22;
apart = tube + 2 * wall - 2;    // between the axes of the tubes

difference() {
    union() {
        tube_clamp(high);
        translate([0, apart, high / 2]) rotate([0, 90, 0]) rotate(180) translate([0, 0, -high / 2]) tube_clamp(high);
        translate([-high / 2, 0, 0]) cube([high, apart, high]);
    }
    tube_clamp_cut(high);
    translate([0, apart, high / 2]) rotate([0, 90, 0]) rotate(180) translate([0, 0, -high / 2]) tube_clamp_cut(high);
}
