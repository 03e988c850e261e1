import { useMemo, useState } from "preact/hooks";
import type { ExploreReport, ReportedTarget } from "../../../../src/commands/explore/result.ts";
import type { PageData } from "../../../../src/render/page/pageData.ts";
import { visible } from "../../report.ts";
import { explorationText, exploreReportOf, inputsText, nodeText, type Way, waysOf } from "../../results/exploration.ts";
import { Place, placeText, type ResultProps } from "../Place.tsx";
import { Evidence, Section } from "../parts.tsx";
import { Opener } from "../WhyTree.tsx";
import { Command, Headline, Notes, Unknowns } from "./parts.tsx";

export function ExploreHead({ data }: { readonly data: PageData }) {
  const report = exploreReportOf(data);
  if (report === null) return null;
  const tone = report.status === "failed" ? "bad" : report.status === "unknown" ? "open" : "good";
  return <Headline text={explorationText(report)} tone={tone} />;
}

/** Failures with their inputs, targets, and the tree of paths. */
export function ExploreView(props: ResultProps) {
  const report = exploreReportOf(props.data);
  if (report === null) return null;
  const { mode, states, runs, complete } = report;
  return (
    <>
      <p>
        {`${runs} ${runs === 1 ? "run" : "runs"}, ${states} ${states === 1 ? "state" : "states"} (${mode}); `}
        {complete ? "all paths were followed to their ends" : "not all paths were followed to their ends"}
      </p>
      <Failures {...props} report={report} />
      <Targets {...props} report={report} />
      <Tree {...props} report={report} />
      <Unknowns {...props} unknowns={report.unknowns} />
      <Notes {...props} />
    </>
  );
}

function Failures({ report, ...props }: ResultProps & { readonly report: ExploreReport }) {
  if (report.failures.length === 0) return null;
  return (
    <Section title="failures">
      <ul class="plain">
        {report.failures.map(({ message, location, inputs, reason, replay }, i) => (
          <li key={i} class="change">
            <header>
              {location !== null && <Place {...props} at={location} text={placeText(props.data, "", location)} />}
              <strong>{visible(message)}</strong> <Evidence kind="observed" />
            </header>
            {reason !== undefined && <p>{visible(reason)}</p>}
            <p>
              <span class="kind">inputs</span> {visible(inputsText(inputs))}
            </p>
            <Command text={replay} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const mostTargets = 100;

function Targets({ report, ...props }: ResultProps & { readonly report: ExploreReport }) {
  const [most, setMost] = useState(mostTargets);
  const { targets } = report;
  if (targets.length === 0) return null;
  return (
    <Section title={targets.length === 1 ? "1 target" : `${targets.length} targets`}>
      <ul class="plain told-list">
        {targets.slice(0, most).map((target, i) => (
          <li key={i}>
            <Place {...props} at={target.location} text={placeText(props.data, "", target.location)} />
            <code>{visible(target.text)}</code> <TargetStatus target={target} />
          </li>
        ))}
      </ul>
      {targets.length > most && (
        <button type="button" onClick={() => setMost(most + 1000)}>
          {targets.length - most} more
        </button>
      )}
    </Section>
  );
}

function TargetStatus({ target: { status, inputs, reason } }: { readonly target: ReportedTarget }) {
  if (status === "unknown") return <span class="kind">{visible(`not known: ${reason ?? "not decided"}`)}</span>;
  if (status === "unreachable") return <span class="kind">no run without undefined behaviour reaches it</span>;
  return (
    <>
      {visible(`reached${inputs === undefined ? "" : ` with inputs ${inputsText(inputs)}`} `)}
      <Evidence kind="observed" />
    </>
  );
}

function Tree({ report, ...props }: ResultProps & { readonly report: ExploreReport }) {
  const { nodes, leaves, failedLeaves, list = [] } = report.tree;
  const ways = useMemo(() => waysOf(list), [list]);
  const { templates, applied } = report;
  const title = `tree of ${nodes} ${nodes === 1 ? "node" : "nodes"}, ${leaves} ${leaves === 1 ? "leaf" : "leaves"}`;
  if (nodes === 0)
    return (
      <Section title="tree">
        <p class="empty">
          There is none: runs of the program found everything before a path was explored. With --runs 0 paths are
          explored at once.
        </p>
      </Section>
    );
  return (
    <Section title={title}>
      <p class="hint">
        {templates > 0 &&
          `${templates} ${templates === 1 ? "loop was" : "loops were"} folded, on ${applied} ${applied === 1 ? "path" : "paths"}. `}
        {failedLeaves > 0 && `${failedLeaves} ${failedLeaves === 1 ? "leaf was" : "leaves were"} not decided. `}
        Inputs of leaves are a solver's, for runs that end there.
      </p>
      <ul class="tree">
        {ways.map((way) => (
          <WayRows key={way.nodes[0]?.id} {...props} way={way} depth={0} />
        ))}
      </ul>
      {list.length < nodes && <p class="hint">{`The page has the first ${list.length} nodes.`}</p>}
    </Section>
  );
}

/** Forks are open down to this depth at first. */
const openDepth = 6;

function WayRows({ way, depth, ...props }: ResultProps & { readonly way: Way; readonly depth: number }) {
  const [isOpen, setOpen] = useState(depth < openDepth);
  const last = way.nodes.length - 1;
  return (
    <>
      {way.nodes.map((node, i) => (
        <li key={node.id} class={`step node ${node.kind}`}>
          <div class="row">
            {i === last && way.next.length > 0 ? (
              <Opener isOpen={isOpen} onClick={() => setOpen(!isOpen)} />
            ) : (
              <span class="no-opener" />
            )}
            <span class="told">
              <Place {...props} at={node.location} text={placeText(props.data, node.function, node.location)} />
              {node.kind !== "branch" && <span class="node-kind">{visible(nodeText(node))}</span>}
              {node.condition.length > 0 && <code>{visible(node.condition.join(" && "))}</code>}
              {node.inputs !== undefined && <span class="kind">{visible(`inputs ${inputsText(node.inputs)}`)}</span>}
            </span>
          </div>
        </li>
      ))}
      {isOpen && way.next.length > 0 && (
        <li>
          <ul class="tree ways">
            {way.next.map((each) => (
              <WayRows key={each.nodes[0]?.id} {...props} way={each} depth={depth + 1} />
            ))}
          </ul>
        </li>
      )}
    </>
  );
}
