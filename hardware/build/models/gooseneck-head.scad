// A camera module on a gooseneck or a tripod: a 1/4 inch nut slides into the slot from above and lies right behind the
// face, so that even the shortest screw finds its thread. Lies on the side of the lens.
include <joints.scad>
use <camera-plate.scad>

block = [24, tripod_lip + tripod_most + 4, 22];
face = camera_far + 1.5 - block[1];         // what the neck is screwed on
axis = 12;                                  // its height
wide = tripod_nut + print_play;
nut = tripod_nut_high + print_play;

camera_plate();
difference() {
    translate([-block[0] / 2, face, 0]) cube(block);
    translate([0, face - 1, axis]) lying_hole(tripod_diameter + print_play, tripod_most + 1);
    // The nut stands on a corner: the slot's floor is the hexagon's lower half, its sides keep it from turning.
    translate([0, face + tripod_lip, axis]) {
        rotate([90, 0, 0]) translate([0, 0, -nut]) rotate(30) cylinder(d = wide / cos(30), h = nut, $fn = 6);
        translate([-wide / 2, 0, 0]) cube([wide, nut, block[2]]);
    }
}
