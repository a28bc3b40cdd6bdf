// The same for a gooseneck or a tripod: a pocket for a 1/4 inch nut. Print one, plate down.
include <joints.scad>
use <camera-plate.scad>

flats = 11.1;
deep = 5.6;
thread = 6.5;
block = [22, 16, 14];

camera_plate();
difference() {
    translate([0, -17 - block[1] / 2 + 2, 0]) rounded(block, 3);
    // The nut slides in from the side; the neck's screw comes from behind, along y.
    translate([0, -17 - block[1] - 1, block[2] / 2]) rotate([-90, 0, 0]) cylinder(d = thread + play, h = block[1] - 2);
    translate([-(flats + play) / 2, -17 - block[1] / 2 - deep / 2 + 2, -1]) cube([flats + play, deep + play, block[2] / 2 + 1 + (flats + play) / 2 / cos(30)]);
}
