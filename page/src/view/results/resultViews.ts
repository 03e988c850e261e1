import type { ComponentType } from "preact";
import type { PageData } from "../../../../src/render/page/pageData.ts";
import type { ResultProps } from "../Place.tsx";
import { BatchHead, BatchView } from "./BatchView.tsx";
import { CompressHead, CompressView } from "./CompressView.tsx";
import { ExploreHead, ExploreView } from "./ExploreView.tsx";
import { InferHead, InferView } from "./InferView.tsx";
import { VerifyHead, VerifyView } from "./VerifyView.tsx";

type ResultView = {
  /** The name of its tab. */
  readonly label: string;
  readonly Head: ComponentType<{ readonly data: PageData }>;
  readonly Panel: ComponentType<ResultProps>;
};

/** How the result of each command is shown. `explain` has the panels of its own questions. */
const resultViews: Readonly<Record<string, ResultView>> = {
  verify: { label: "verdict", Head: VerifyHead, Panel: VerifyView },
  explore: { label: "paths", Head: ExploreHead, Panel: ExploreView },
  infer: { label: "contracts", Head: InferHead, Panel: InferView },
  compress: { label: "folded run", Head: CompressHead, Panel: CompressView },
  batch: { label: "tasks", Head: BatchHead, Panel: BatchView },
};

export function resultViewOf({ report }: PageData): ResultView | null {
  return Object.hasOwn(resultViews, report.command) ? (resultViews[report.command] ?? null) : null;
}
