// The plate that a Camera Module 2, 3 or 3 Wide is screwed on, shared by both heads.
// Seen from behind; the lens looks down through the window, its axis is the origin; the cable leaves towards +y.
include <joints.scad>

rows = [camera_lens - camera_board[1] + camera_first, camera_lens - camera_board[1] + camera_first + camera_holes[1]];

module camera_posts() {
    for (x = [-1, 1], y = rows) translate([x * camera_holes[0] / 2, y, 0]) children();
}

module camera_plate() {
    difference() {
        union() {
            translate([0, (camera_far + camera_cable) / 2, 0])
                rounded([2 * camera_edge, camera_cable - camera_far, camera_thick], 3);
            camera_posts() cylinder(d = camera_post, h = camera_thick + camera_posts);
        }
        camera_window();
        camera_posts() translate([0, 0, print_thinnest]) cylinder(d = m2_pilot, h = 20, $fn = 24);
    }
}

module camera_window() {
    wide = camera_window + 2 * camera_flare;
    translate([0, 0, camera_thick / 2]) cube([camera_window, camera_window, camera_thick + 2], center = true);
    hull() {
        translate([-wide / 2, -wide / 2, -0.01]) cube([wide, wide, 0.01]);
        translate([-camera_window / 2, -camera_window / 2, camera_flare]) cube([camera_window, camera_window, 0.01]);
    }
}
