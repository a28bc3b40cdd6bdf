// Anything with a 1/4 inch thread at the end of the stand: a webcam, the HQ Camera, a phone holder.
// Its foot stands on the plate; a screw of half an inch comes from below.
include <joints.scad>

deep = 40;

difference() {
    union() {
        lying_clamp(clamp_long);
        translate([0, ring / 2 + deep / 2 - 4, 0]) rounded([clamp_long + 8, deep + 8, tripod_plate], 4);
    }
    lying_clamp_cut(clamp_long);
    // Along a slot: the lens comes to lie where it should.
    hull() for (y = [16, 30]) translate([0, ring / 2 + y, -1]) cylinder(d = tripod_diameter + print_play, h = tripod_plate + 2);
}
