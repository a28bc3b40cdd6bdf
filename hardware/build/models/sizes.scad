// Made by hardware/build/models.py from the boards' own data (board.json). Diameter and height, mm.
figure = [20, 24];
marker = [20, 4];
pawn = [20, 18];
stone = [24, 20];
