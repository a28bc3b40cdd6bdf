// The pieces of all games: plain cylinders for the eye, a nub and a hollow for the hand.
// A nub goes into the hollow of what stands on it, so that stacks do not slip. The boards tell the sizes, mm.
diameter = 20;
height = 18;
with_nub = false;
nub = 12;
nub_high = 1.0;
hollow_play = 0.4;
bevel = 0.6;                // of the lower edge only: the eye takes the upper edge for the piece's own

$fn = 96;

module body(d, h) {
    cylinder(d1 = d - 2 * bevel, d2 = d, h = bevel);
    translate([0, 0, bevel - 0.001]) cylinder(d = d, h = h - bevel + 0.001);
}

module piece(d, h, with_nub) {
    difference() {
        union() {
            body(d, h);
            if (with_nub) translate([0, 0, h - 0.001]) cylinder(d1 = nub, d2 = nub - 1, h = nub_high);
        }
        translate([0, 0, -0.001]) cylinder(d = nub + hollow_play, h = nub_high + hollow_play);
    }
}

piece(diameter, height, with_nub);
