// A camera module at the end of the stand: turns round the head tube, and so tilts. Lies on the side of the lens.
include <joints.scad>
use <camera-plate.scad>

camera_plate();
difference() {
    union() {
        translate([0, camera_tube_at, 0]) lying_clamp(clamp_long);
        // One foot from clamp to plate.
        translate([-clamp_long / 2, camera_tube_at, 0]) cube([clamp_long, camera_far - camera_tube_at + 1.5, camera_thick]);
    }
    translate([0, camera_tube_at, 0]) lying_clamp_cut(clamp_long);
}
