// The pieces of all games: plain cylinders for the eye; what is stacked has a nub for the hand, and a hollow under it.
// The boards tell the sizes, mm. `part` "stone" has both, "marker" a hollow (printed with the hollow up), "plain" neither.
diameter = 20;
height = 18;
part = "plain";
nub = 12;
nub_high = 1.0;
hollow_play = 0.4;
bevel = 0.6;                // of the lower edge only: the eye takes the upper edge for the piece's own

$fn = 96;
wide = nub + hollow_play;
deep = nub_high + hollow_play;

module body(d, h) {
    cylinder(d1 = d - 2 * bevel, d2 = d, h = bevel);
    translate([0, 0, bevel - 0.001]) cylinder(d = d, h = h - bevel + 0.001);
}

module stone(d, h) {
    difference() {
        union() {
            body(d, h);
            translate([0, 0, h - 0.001]) cylinder(d1 = nub, d2 = nub - 1, h = nub_high);
        }
        translate([0, 0, -0.001]) cylinder(d = wide, h = deep);
        // The hollow's roof is a cone: nothing is printed over nothing.
        translate([0, 0, deep - 0.002]) cylinder(d1 = wide, d2 = 0, h = wide / 2);
    }
}

module marker(d, h) {
    translate([0, 0, h]) mirror([0, 0, 1]) difference() {
        body(d, h);
        translate([0, 0, -0.001]) cylinder(d = wide, h = deep);
    }
}

if (part == "stone") stone(diameter, height);
if (part == "marker") marker(diameter, height);
if (part == "plain") body(diameter, height);
