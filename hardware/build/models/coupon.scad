// Print this first (half an hour): every fit once. Tube through the ring and into the ridge, nuts into their pockets,
// a camera module over the window with two screws, an LED, a button, a screw M3 and a stone's nub.
include <joints.scad>
use <camera-plate.scad>

thick = 6;

difference() {
    union() {
        translate([0, 0, 0]) rounded([96, 34, thick], 4);
        // A slice of the lying clamp, at the plate's edge.
        translate([-35, 28, 0]) lying_clamp(12);
        translate([-41, 12, 0]) cube([12, 8, thick]);
        translate([34, 5.5, 0]) camera_posts_pair();
    }
    translate([-35, 28, 0]) lying_clamp_cut(12);
    translate([-34, 0, -1]) cylinder(d = bore, h = 20);                                          // tube
    translate([-17, 8, -1]) cylinder(d = m4_diameter + print_play, h = 20);
    translate([-17, 8, thick - m4_nut_high - 0.2]) cylinder(d = (m4_nut + print_play) / cos(30), h = 20, $fn = 6);
    translate([-15, -7, -1]) cylinder(d = m8_diameter + 2 * print_play, h = 20);
    translate([-15, -7, thick - 4.5]) cylinder(d = (m8_nut + print_play) / cos(30), h = 20, $fn = 6);
    translate([4, 7, thick - 4.5]) cylinder(d = (tripod_nut + print_play) / cos(30), h = 20, $fn = 6);   // tripod nut
    translate([4, 7, -1]) cylinder(d = tripod_diameter + print_play, h = 20);
    translate([4, -8, -1]) cylinder(d = bar_button, h = 20);
    translate([16, -12, -1]) cylinder(d = bar_led, h = 20);
    translate([16, -2, print_thinnest]) cylinder(d = m3_pilot, h = 20);
    translate([16, 9, print_thinnest]) cylinder(d = m25_pilot, h = 20);
    translate([34, 5.5, -1]) translate([-camera_window / 2, -camera_window / 2, 0]) cube([camera_window, camera_window, 20]);
    translate([34, 5.5, 0]) posts_at() translate([0, 0, print_thinnest]) cylinder(d = m2_pilot, h = 20, $fn = 24);
}

// The row of posts beside the lens, as on the camera plate.
module posts_at() {
    for (x = [-1, 1]) translate([x * camera_holes[0] / 2, camera_lens - camera_board[1] + camera_first + camera_holes[1], 0]) children();
}

module camera_posts_pair() {
    posts_at() cylinder(d = camera_post, h = thick + camera_posts);
}
