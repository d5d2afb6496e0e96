import { useState } from "react";
import { Button, Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowMerge,
  IconArrowsSplit2,
  IconBan,
  IconCheck,
  IconLink,
  IconPencil,
  IconPhoneOff,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { checkCall, getCall, usualRules } from "@rollcall/server/contract/calls";
import { useJobLabels } from "#core/jobs.tsx";
import { type Translate, useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { CallUnits } from "#features/assignments/assignments.api.ts";
import { CopyText } from "#ui/copy.tsx";
import { DetailStates } from "#ui/detailStates.tsx";
import { RecordActions } from "#ui/recordActions.tsx";
import { Facts, JobTag, Section, TimeAgo } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { CallAge, PriorityMark } from "./age.tsx";
import { type CallDetail, useCall, useTypes } from "./calls.queries.ts";
import { messageOf, stateText } from "./columns.tsx";
import { Reports } from "./reports.tsx";
import type { EditDialogProps } from "./editDialog.tsx";
import { CallLink, LinkedCalls, MergedCalls, UndoMerge } from "./merged.tsx";
import { HandOver } from "./handOver.tsx";
import type { HandOverDialogProps } from "./handOverDialog.tsx";
import type { LinkDialogProps } from "./linkDialog.tsx";
import type { SplitDialogProps } from "./splitDialog.tsx";
import type { MergeDialogProps } from "./mergeDialog.tsx";
import type { EndDialogProps } from "./endDialog.tsx";
import type { WriteProps } from "./write.tsx";
import { TypeTag } from "./typeTag.tsx";
import { refOf } from "./ref.ts";
import classes from "./calls.module.css";

const EndDialog = part<EndDialogProps>(["calls"], () => import("./endDialog.tsx"));
const EditDialog = part<EditDialogProps>(["calls"], () => import("./editDialog.tsx"));
const MergeDialog = part<MergeDialogProps>(["calls"], () => import("./mergeDialog.tsx"));
const SplitDialog = part<SplitDialogProps>(["calls"], () => import("./splitDialog.tsx"));
const LinkDialog = part<LinkDialogProps>(["calls"], () => import("./linkDialog.tsx"));
const HandOverDialog = part<HandOverDialogProps>(["calls"], () => import("./handOverDialog.tsx"));
const Write = part<WriteProps>(["calls"], () => import("./write.tsx"));
const WIDTHS = ["60%", "90%", "70%"];

export interface CallViewProps {
  readonly id: number;
  onClose(): void;
}

/** One call beside the list. */
export function CallView({ id, onClose }: CallViewProps) {
  const { t } = useText();
  const query = useCall(id);
  const call = query.data;
  const ref = refOf(id);
  return (
    <DetailPane
      title={call?.type?.name ?? t("calls.call")}
      label={t("calls.detailOf", { ref })}
      onClose={onClose}
      actions={call && <RecordActions path={`/calls/${id}`} />}
      under={<CopyText text={ref} label={t("calls.columns.id")} />}
    >
      <DetailStates
        query={query}
        widths={WIDTHS}
        missing={{ icon: IconPhoneOff, title: t("calls.missing.title"), text: t("calls.missing.text") }}
      />
      {call && <Content call={call} />}
    </DetailPane>
  );
}

function Content({ call }: { readonly call: CallDetail }) {
  const { t } = useText();
  const { waitSeconds } = useTypes().data?.rules ?? usualRules;
  const { postal, place, ended } = call;
  return (
    <>
      <Actions call={call} />
      <HandOver call={call} />
      <Section title={t("calls.columns.message")}>
        <p className={classes["message"]}>{messageOf(t, call)}</p>
        {call.alerts > 1 && <p className={classes["times"]}>{t("calls.alerts", { count: call.alerts })}</p>}
        <Facts
          facts={[
            { label: t("calls.columns.priority"), value: <PriorityMark priority={call.priority} /> },
            { label: t("calls.columns.type"), value: <TypeTag type={call.type} /> },
            {
              label: t(postal === null ? "calls.place" : "calls.columns.postal"),
              value: postal ?? (place && `${Math.round(place.x)}, ${Math.round(place.y)}`),
            },
            { label: t("calls.columns.state"), value: stateText(t, call) },
            ...(call.state === "merged" ? [{ label: t("calls.merge.partOf"), value: <OtherCall id={call.mergedInto} /> }] : []),
            { label: t("calls.columns.age"), value: <CallAge call={call} waitSeconds={waitSeconds} /> },
            ...(ended === null ? [] : [{ label: t("calls.endedBy"), value: ended.by ?? t("calls.byTime") }]),
            ...(ended?.text == null ? [] : [{ label: t("calls.outcome"), value: ended.text }]),
          ]}
        />
        <p className={classes["actions"]}>
          {call.jobs.map((job) => (
            <JobTag key={job.name} job={job} />
          ))}
        </p>
      </Section>
      <CallUnits call={call} />
      <MergedCalls call={call} />
      <LinkedCalls call={call} />
      {call.reports.length < 2 && <Callers call={call} />}
      <Reports call={call} />
      <Checklist call={call} />
      <Section title={t("calls.timeline")} count={call.timeline.length}>
        <Timeline call={call} />
        {call.may.includes("note") && <Write call={call} />}
      </Section>
    </>
  );
}

const DOINGS = ["complete", "cancel", "reopen", "edit", "merge", "split", "link", "handOver"] as const;
type Doing = (typeof DOINGS)[number];
const ICONS = {
  complete: IconCheck,
  cancel: IconBan,
  reopen: IconArrowBackUp,
  edit: IconPencil,
  merge: IconArrowMerge,
  split: IconArrowsSplit2,
  link: IconLink,
  handOver: IconArrowForwardUp,
} as const;

function Actions({ call }: { readonly call: CallDetail }) {
  const { t } = useText();
  const [doing, setDoing] = useState<Doing | null>(null);
  if (call.may.length === 0) return null;
  return (
    <section className={`${classes["actions"]} ${classes["bar"]}`}>
      {DOINGS.filter((one) => call.may.includes(one) && (one !== "handOver" || call.handOver === null)).map((one) => {
        const Icon = ICONS[one];
        return (
          <Button
            key={one}
            variant="default"
            leftSection={<Icon size={15} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => setDoing(one)}
          >
            {t(`calls.do.${one}`)}
          </Button>
        );
      })}
      {call.may.includes("undoMerge") && <UndoMerge call={call}>{t("calls.do.undoMerge")}</UndoMerge>}
      {doing !== null && <ActionDialog call={call} doing={doing} onClose={() => setDoing(null)} />}
    </section>
  );
}

interface ActionDialogProps {
  readonly call: CallDetail;
  readonly doing: Doing;
  onClose(): void;
}

function ActionDialog({ call, doing, onClose }: ActionDialogProps) {
  if (doing === "edit") return <EditDialog call={call} onClose={onClose} />;
  if (doing === "merge") return <MergeDialog call={call} onClose={onClose} />;
  if (doing === "split") return <SplitDialog call={call} onClose={onClose} />;
  if (doing === "handOver") return <HandOverDialog call={call} onClose={onClose} />;
  if (doing === "link") return <LinkDialog call={call} onClose={onClose} />;
  return <EndDialog call={call} what={doing} onClose={onClose} />;
}

function Callers({ call: { callers, answers } }: { readonly call: CallDetail }) {
  const { t } = useText();
  if (callers.length === 0 && answers.length === 0) return null;
  return (
    <Section title={t("calls.callers")} count={callers.length}>
      <ul className={classes["list"]}>
        {callers.map(({ anonymous, citizen, phone, at }, place) => (
          <li key={place}>
            <span className={classes["about"]}>
              {citizen === null ? (
                t(anonymous ? "calls.anonymous" : "calls.unknownCaller")
              ) : (
                <Link to="/citizens/$id" params={{ id: String(citizen.id) }}>
                  {citizen.name}
                </Link>
              )}
            </span>
            {phone !== null && <span className="rc-number">{phone}</span>}
            <TimeAgo instant={at} />
          </li>
        ))}
      </ul>
      {answers.length > 0 && <Facts facts={answers.map(({ question, answer }) => ({ label: question, value: answer }))} />}
    </Section>
  );
}

function Checklist({ call: { id, checklist, may } }: { readonly call: CallDetail }) {
  const { t } = useText();
  const queries = useQueryClient();
  if (checklist.length === 0) return null;
  const tick = async (line: number, done: boolean) => {
    try {
      await api.call(checkCall, { params: { id }, body: { line, done } });
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await queries.invalidateQueries({ queryKey: [getCall.id] });
  };
  return (
    <Section title={t("calls.checklist")} count={checklist.filter(({ done }) => !done).length}>
      {checklist.map(({ text, done }, at) => (
        <Checkbox
          key={text}
          size="md"
          label={text}
          checked={done}
          disabled={!may.includes("note")}
          onChange={(event) => void tick(at + 1, event.currentTarget.checked)}
        />
      ))}
    </Section>
  );
}

function entryText(t: Translate, { kind, text, citizen, other }: CallDetail["timeline"][number]): string {
  if (other !== null) return t(`calls.entries.${kind}`, { text: refOf(other) });
  const about = citizen === null ? (text ?? "") : `${citizen.name} (CIT-${citizen.id})`;
  return kind === "note" ? about : t(`calls.entries.${kind}`, { text: about });
}

/** The number of a call that this one has to do with; of one that the viewer does not see, that there is one. */
function OtherCall({ id }: { readonly id: number | null }) {
  const { t } = useText();
  return id === null ? t("calls.merge.otherCall") : <CallLink id={id} />;
}

function Timeline({ call: { timeline, merged } }: { readonly call: CallDetail }) {
  const { t } = useText();
  const labelOf = useJobLabels();
  return (
    <ol className={classes["list"]}>
      {timeline.map((entry) => (
        <li key={entry.id}>
          <span className={classes["about"]}>
            <span className={classes["text"]}>{entryText(t, entry)}</span>
            <span className={classes["quiet"]}>
              {[
                merged.length === 0 ? null : refOf(entry.callId),
                entry.by,
                entry.job === null ? null : t("calls.onlyFor", { job: labelOf(entry.job) }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </span>
          <TimeAgo instant={entry.at} />
        </li>
      ))}
    </ol>
  );
}
