import { describe } from "vitest";
import { comparePrograms } from "./support/comparePrograms.ts";
import { hasTool } from "./support/tools.ts";

describe.skipIf(!hasTool("gcc"))("further generated programs behave as with gcc", () => comparePrograms(480, 2_000));
