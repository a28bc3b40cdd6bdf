// Made by hardware/build/models.py from the boards' own data (board.json). Diameter and height, mm.
figure = [20, 24];
marker = [24, 3];
pawn = [20, 18];
stone = [28, 22];
