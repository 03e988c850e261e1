import { libraryFunctions } from "../c/library/table.ts";
import { floatToInt, lowWord, toWide, wideToDouble, wideToFloat } from "./arithmetic/convert.ts";
import {
  badShift,
  divisionByZero,
  indeterminate,
  negationOverflow,
  returned,
  signedOverflow,
} from "./arithmetic/failures.ts";
import { addWide, divideWide, multiplyWide, negateWide, remainderWide, subtractWide } from "./arithmetic/wide.ts";
import { andWide, complementWide, orWide, shiftLeftWide, shiftRightWide, xorWide } from "./arithmetic/wideBits.ts";
import { endRun, keepChunk, poll, readInput, resolveCallee } from "./control.ts";
import {
  trackBirth,
  trackChoice,
  trackCopy,
  trackDeath,
  trackEntry,
  trackJoin,
  trackKept,
  trackLoad,
  trackParameter,
  trackRegister,
  trackStep,
  trackStore,
  trackValue,
  trackWritten,
} from "./dependence/track.ts";
import { readBitField, writeBitField } from "./memory/bitField.ts";
import { copyObject } from "./memory/copy.ts";
import { integerToPointer, pointerToInteger } from "./memory/flatAddress.ts";
import { declareArray, enterLocal, leaveArray, leaveStackObjects } from "./memory/locals.ts";
import { enterFrame, forgetBytes, killObject, leaveFrame } from "./memory/memory.ts";
import {
  badIndex,
  comparePointers,
  indexNumber,
  offsetPointer,
  pointerDifference,
} from "./memory/pointerArithmetic.ts";
import * as read from "./memory/read.ts";
import * as write from "./memory/write.ts";
import { beginLibraryCall, observed, wroteMemory, wroteRegister } from "./observation.ts";
import { deeper, loggedCondition, loggedValue, variedCondition, variedValue } from "./vary/override.ts";

/** Everything that generated code calls, under the names it uses. */
export const runtimeFunctions = {
  addWide,
  subtractWide,
  multiplyWide,
  divideWide,
  remainderWide,
  negateWide,
  andWide,
  orWide,
  xorWide,
  complementWide,
  shiftLeftWide,
  shiftRightWide,
  floatToInt,
  lowWord,
  toWide,
  wideToDouble,
  wideToFloat,
  signedOverflow,
  negationOverflow,
  divisionByZero,
  badShift,
  indeterminate,
  returned,
  poll,
  endRun,
  readInput,
  resolveCallee,
  keepChunk,
  ...read,
  ...write,
  readBitField,
  writeBitField,
  copyObject,
  integerToPointer,
  pointerToInteger,
  enterFrame,
  leaveFrame,
  enterLocal,
  forgetBytes,
  killObject,
  declareArray,
  leaveArray,
  leaveStackObjects,
  badIndex,
  comparePointers,
  indexNumber,
  offsetPointer,
  pointerDifference,
  observed,
  wroteRegister,
  wroteMemory,
  beginLibraryCall,
  trackEntry,
  trackStep,
  trackJoin,
  trackChoice,
  trackRegister,
  trackValue,
  trackLoad,
  trackWritten,
  trackStore,
  trackKept,
  trackCopy,
  trackParameter,
  trackBirth,
  trackDeath,
  variedCondition,
  variedValue,
  loggedCondition,
  loggedValue,
  deeper,
  /** By name. */
  library: Object.fromEntries([...libraryFunctions()].map(({ name, run }) => [name, run])),
};
