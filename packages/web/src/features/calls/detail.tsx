import { useState } from "react";
import { Button, Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconArrowBackUp, IconBan, IconCheck, IconPencil, IconPhoneOff } from "@tabler/icons-react";
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
import { stateText } from "./columns.tsx";
import { Reports } from "./reports.tsx";
import type { EditDialogProps } from "./editDialog.tsx";
import type { EndDialogProps } from "./endDialog.tsx";
import type { WriteProps } from "./write.tsx";
import { TypeTag } from "./typeTag.tsx";
import classes from "./calls.module.css";

const EndDialog = part<EndDialogProps>(["calls"], () => import("./endDialog.tsx"));
const EditDialog = part<EditDialogProps>(["calls"], () => import("./editDialog.tsx"));
const Write = part<WriteProps>(["calls"], () => import("./write.tsx"));
const WIDTHS = ["60%", "90%", "70%"];

/** One call beside the list. */
export function CallView({ id, onClose }: { readonly id: number; onClose(): void }) {
  const { t } = useText();
  const query = useCall(id);
  const call = query.data;
  const ref = `DSP-${id}`;
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
      <Section title={t("calls.columns.message")}>
        <p className={classes["message"]}>{call.message}</p>
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

type Doing = "complete" | "cancel" | "reopen";
const ICONS = { complete: IconCheck, cancel: IconBan, reopen: IconArrowBackUp } as const;

function Actions({ call }: { readonly call: CallDetail }) {
  const { t } = useText();
  const [doing, setDoing] = useState<Doing | "edit" | null>(null);
  const endings = (["complete", "cancel", "reopen"] as const).filter((one) => call.may.includes(one));
  if (call.may.length === 0) return null;
  return (
    <section className={`${classes["actions"]} ${classes["bar"]}`}>
      {endings.map((one) => {
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
      {call.may.includes("edit") && (
        <Button
          variant="default"
          leftSection={<IconPencil size={15} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setDoing("edit")}
        >
          {t("calls.do.edit")}
        </Button>
      )}
      {doing === "edit" && <EditDialog call={call} onClose={() => setDoing(null)} />}
      {doing !== null && doing !== "edit" && <EndDialog call={call} what={doing} onClose={() => setDoing(null)} />}
    </section>
  );
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

function entryText(t: Translate, { kind, text, citizen }: CallDetail["timeline"][number]): string {
  const about = citizen === null ? (text ?? "") : `${citizen.name} (CIT-${citizen.id})`;
  return kind === "note" ? about : t(`calls.entries.${kind}`, { text: about });
}

function Timeline({ call: { timeline } }: { readonly call: CallDetail }) {
  const { t } = useText();
  const labelOf = useJobLabels();
  return (
    <ol className={classes["list"]}>
      {timeline.map((entry) => (
        <li key={entry.id}>
          <span className={classes["about"]}>
            <span className={classes["text"]}>{entryText(t, entry)}</span>
            <span className={classes["quiet"]}>
              {[entry.by, entry.job === null ? null : t("calls.onlyFor", { job: labelOf(entry.job) })]
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
