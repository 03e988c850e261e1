import { existsSync, readFileSync } from "node:fs";
import { followRecording, readFiles } from "../../src/concolic/js/replayRecording.ts";

const ownTime = "/proc/thread-self/schedstat";

/** Microseconds that this thread has worked; without threads that compile and collect, where the system tells them apart. */
function worked(): number {
  if (existsSync(ownTime)) return Number(readFileSync(ownTime, "utf8").split(" ")[0]) / 1000;
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** `replayOnce RECORDING N`: follows the recording N times, a line with microseconds for each. */
const [directory, times] = process.argv.slice(2);
for (let round = 0; round < Number(times); round++) {
  const files = readFiles(directory!);
  const start = worked();
  followRecording(directory!, files);
  console.log(worked() - start);
}
