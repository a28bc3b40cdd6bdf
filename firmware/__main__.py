"""`python -m firmware` is `magister`."""

import sys

from firmware.cli import main

sys.exit(main())
