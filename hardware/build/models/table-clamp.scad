// Holds the upright at the edge of a table. Lies on its side. The nut of the M8 bolt goes into its pocket from between the arms.
include <joints.scad>

high = table_thickest + table_pad[1] + 2 * table_arm;

module profile() {
    square([table_reach + table_arm, table_arm]);
    square([table_arm, high]);
    translate([0, high - table_arm]) square([table_reach + table_arm, table_arm]);
    // Fillets, where it would break.
    translate([table_arm, table_arm]) difference() { square(8); translate([8, 8]) circle(8); }
    translate([table_arm, high - table_arm - 8]) difference() { square(8); translate([8, 0]) circle(8); }
}

difference() {
    union() {
        linear_extrude(table_broad) profile();
        // The upright stands behind the edge: room for chairs and knees stays free.
        translate([-table_tube_at, high / 2, 0]) rotate(90) lying_clamp(high, table_tube_high);
        translate([-table_tube_at, 0, 0]) cube([table_tube_at + 1, high, table_tube_high]);
    }
    translate([-table_tube_at, high / 2, 0]) rotate(-90)
        lying_clamp_cut(high, table_tube_high, [-high / 2 + 14, high / 2 - 14]);
    translate([table_arm + table_reach * 0.6, -1, table_broad / 2]) lying_hole(m8_diameter + 2 * print_play, table_arm + 2);
    translate([table_arm + table_reach * 0.6, table_arm - m8_nut_high - 0.2, table_broad / 2]) lying_nut(m8_nut, m8_nut_high + 2);
}
