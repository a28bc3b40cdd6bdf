// The plate that a Camera Module 3 (or 2) is screwed on, shared by both heads.
include <joints.scad>

board = [25, 24];           // the module
holes = [21, 12.5];         // between its four holes
first_row = 2;              // of holes, from the edge that is away from the cable
lens = 9.5;                 // from the same edge to the lens
window = 13;                // round the lens, with room for the autofocus
post = 5.2;
post_high = 3;
pilot = 1.7;                // an M2 screw cuts its own thread
plate = [35, 36, 4];

// Seen from behind: the lens looks down through the plate, the cable leaves towards +y.
module camera_plate() {
    difference() {
        union() {
            translate([0, 1, 0]) rounded(plate, 4);
            for (x = [-1, 1], y = [0, 1])
                translate([x * holes[0] / 2, first_row - lens + y * holes[1], plate[2] - 0.01])
                    cylinder(d = post, h = post_high);
        }
        translate([0, 0, -1]) cylinder(d1 = window + 6, d2 = window, h = plate[2] + 2);
        for (x = [-1, 1], y = [0, 1])
            translate([x * holes[0] / 2, first_row - lens + y * holes[1], 1.2])
                cylinder(d = pilot, h = plate[2] + post_high, $fn = 24);
    }
}
