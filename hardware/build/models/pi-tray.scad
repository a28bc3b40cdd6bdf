// Holds a Raspberry Pi at the upright, its header towards the tube. Lies on its back.
include <joints.scad>

air = 8;                    // between board and clamp, for the plugs on the header
size = [pi_board[0] + 6, pi_board[1] + air + 4, pi_thick];

difference() {
    union() {
        lying_clamp(2 * clamp_long);
        translate([0, ring / 2 + size[1] / 2 - 2, 0]) rounded([size[0], size[1] + 4, size[2]], 4);
        holes() cylinder(d = 6, h = pi_thick + pi_posts);
    }
    lying_clamp_cut(2 * clamp_long, screws = [-13, 13]);
    holes() translate([0, 0, print_thinnest]) cylinder(d = m25_pilot, h = 20, $fn = 24);
    // For a cable tie that relieves the ribbon and the wires.
    for (x = [-1, 1], y = [18, 36]) translate([x * (size[0] / 2 - 5) - 1.5, ring / 2 + air + y - 3, -1]) cube([3, 6, 10]);
}

module holes() {
    translate([-pi_board[0] / 2 + pi_corner, ring / 2 + air + pi_corner, 0])
        for (x = [0, pi_holes[0]], y = [0, pi_holes[1]]) translate([x, y, 0]) children();
}
