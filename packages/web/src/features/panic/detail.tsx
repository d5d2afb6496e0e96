import { useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconBellCheck, IconFileOff, IconFlagCheck } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { DetailStates } from "#ui/detailStates.tsx";
import { RecordActions } from "#ui/recordActions.tsx";
import { Facts, JobTag, Section, TimeAgo, useServerNow } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { spotText } from "./alarmBar.tsx";
import { CancelButton } from "./cancelButton.tsx";
import { stateText } from "./columns.tsx";
import type { EndDialogProps } from "./endDialog.tsx";
import { type Panic, usePanic, usePanicChanges } from "./panic.queries.ts";
import classes from "./panic.module.css";

const EndDialog = part<EndDialogProps>(["panic"], () => import("./endDialog.tsx"));
const WIDTHS = ["60%", "90%", "70%"];

/** One panic beside the list. */
export function PanicView({ id, onClose }: { readonly id: number; onClose(): void }) {
  const { t } = useText();
  const query = usePanic(id);
  const panic = query.data;
  return (
    <DetailPane
      title={panic === undefined ? t("panic.panic") : (panic.person?.name ?? t("panic.nobody"))}
      label={t("panic.panic")}
      onClose={onClose}
      actions={panic && <RecordActions path={`/panic/${id}`} />}
    >
      <DetailStates
        query={query}
        widths={WIDTHS}
        missing={{ icon: IconFileOff, title: t("panic.missing.title"), text: t("panic.missing.text") }}
      />
      {panic && <Content panic={panic} />}
    </DetailPane>
  );
}

function Content({ panic }: { readonly panic: Panic }) {
  const { t } = useText();
  const mayOpen = useAbilities().has(citizensPermissions.list);
  const { person, place, postal, lastSeen, ended } = panic;
  const spot = place === null ? t("panic.bar.nowhere") : `${Math.round(place.x)}, ${Math.round(place.y)}`;
  return (
    <>
      <Actions panic={panic} />
      <Section title={t("panic.about")}>
        <Facts
          facts={[
            {
              label: t("panic.columns.person"),
              value:
                person !== null && mayOpen ? (
                  <Link to="/citizens/$id" params={{ id: String(person.id) }}>
                    {person.name}
                  </Link>
                ) : (
                  (person?.name ?? t("panic.nobody"))
                ),
            },
            { label: t("panic.columns.job"), value: <JobTag job={panic.job} /> },
            { label: t("panic.columns.state"), value: stateText(t, panic) },
            { label: t("panic.columns.pressedAt"), value: <TimeAgo instant={panic.pressedAt} /> },
            { label: t("panic.columns.presses"), value: panic.presses },
            { label: t(postal === null ? "panic.place" : "panic.columns.postal"), value: postal ?? spot },
            {
              label: t("panic.columns.id"),
              value: (
                <Link to="/calls/$id" params={{ id: String(panic.callId) }}>
                  DSP-{panic.callId}
                </Link>
              ),
            },
            ...(panic.state !== "active" || lastSeen === null
              ? []
              : [
                  {
                    label: t("panic.lastSeen"),
                    value: (
                      <>
                        {spotText(t, lastSeen)}, <TimeAgo instant={lastSeen.at} />
                      </>
                    ),
                  },
                ]),
            ...(ended === null
              ? []
              : [
                  { label: t("panic.ended"), value: <TimeAgo instant={ended.at} /> },
                  { label: t("panic.endedBy"), value: ended.by },
                ]),
            ...(ended?.note == null ? [] : [{ label: t("panic.note"), value: ended.note }]),
          ]}
        />
      </Section>
      <Alarms panic={panic} />
    </>
  );
}

function Alarms({ panic: { alarms } }: { readonly panic: Panic }) {
  const { t } = useText();
  return (
    <Section title={t("panic.alarms")} count={alarms.length}>
      <ul className={classes["list"]}>
        {alarms.map(({ job, state, at, by, repeats }) => (
          <li key={job.name}>
            <JobTag job={job} />
            <span>{t(`panic.alarmStates.${state}`, { name: by ?? t("panic.nobody") })}</span>
            {at !== null && <TimeAgo instant={at} />}
            {repeats > 0 && <span className={classes["quiet"]}>{t("panic.repeats", { count: repeats })}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Actions({ panic }: { readonly panic: Panic }) {
  const { t } = useText();
  const changes = usePanicChanges();
  const now = useServerNow(1_000);
  const [ending, setEnding] = useState(false);
  if (panic.may.length === 0) return null;
  return (
    <section className={classes["actions"]}>
      {panic.may.includes("acknowledge") && (
        <Button
          loading={changes.busy}
          leftSection={<IconBellCheck size={15} aria-hidden />}
          onClick={() => void changes.acknowledge(panic)}
        >
          {t("panic.acknowledge")}
        </Button>
      )}
      {panic.may.includes("end") && (
        <Button
          variant="default"
          leftSection={<IconFlagCheck size={15} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setEnding(true)}
        >
          {t("panic.end.open")}
        </Button>
      )}
      <CancelButton panic={panic} now={now} changes={changes} />
      {ending && <EndDialog panic={panic} onClose={() => setEnding(false)} />}
    </section>
  );
}
