// The camera at the end of the stand: turns round the last tube, and so tilts. Print one, plate down.
include <joints.scad>
use <camera-plate.scad>

high = 26;
rise = tube / 2 + wall + 6;   // room for the nut under the ears

camera_plate();
difference() {
    union() {
        translate([0, -(17 + tube / 2 + wall), rise]) rotate([0, 90, 0]) rotate(180) translate([0, 0, -high / 2]) tube_clamp(high);
        translate([-high / 2, -17 - tube / 2 - wall, 0]) cube([high, tube / 2 + wall + 4, 4]);
        translate([-high / 2, -17 - tube / 2 - wall, 0]) cube([high, 8, rise]);
    }
    translate([0, -(17 + tube / 2 + wall), rise]) rotate([0, 90, 0]) rotate(180) translate([0, 0, -high / 2]) tube_clamp_cut(high);
}
