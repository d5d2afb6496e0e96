import { useState } from "react";
import { Button } from "@mantine/core";
import { endExclusion, exclude, type Exclusion, type WholeGroup } from "@rollcall/server/contract/jobgroups";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { calendarDay } from "#core/time.ts";
import { showToast } from "#core/toasts.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { offerUndo } from "#ui/confirm.tsx";
import { Section } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import type { ExcludeDialogProps } from "./excludeDialog.tsx";
import { useExclusions, useReadAgain } from "./jobgroups.queries.ts";
import { type ChosenPerson, PersonSelect } from "./personSelect.tsx";
import classes from "./jobgroups.module.css";

const ExcludeDialog = part<ExcludeDialogProps>(["jobgroups"], () => import("./excludeDialog.tsx"));

/** Who is kept out of a group, whatever its rules say. */
export function Exclusions({ group: { id, may } }: { readonly group: WholeGroup }) {
  const { t } = useText();
  const query = useExclusions(id);
  const [asked, setAsked] = useState<ChosenPerson | null>(null);
  const items = query.data?.items ?? [];
  const excludes = may.includes("exclude");
  return (
    <Section title={t("jobgroups.exclusions.title")} {...(query.data ? { count: items.length } : {})}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%"]} />}
      {query.data && items.length === 0 && <p className={classes["quiet"]}>{t("jobgroups.exclusions.none")}</p>}
      <ul className={classes["list"]}>
        {items.map((exclusion) => (
          <Row key={exclusion.citizen.id} group={id} exclusion={exclusion} excludes={excludes} />
        ))}
      </ul>
      {excludes && (
        <PersonSelect
          label={t("jobgroups.exclusions.add")}
          submit={t("jobgroups.exclusions.open")}
          onChosen={(person) => setAsked(person)}
        />
      )}
      {asked !== null && <ExcludeDialog group={id} person={asked} onClose={() => setAsked(null)} />}
    </Section>
  );
}

interface RowProps {
  readonly group: number;
  readonly exclusion: Exclusion;
  readonly excludes: boolean;
}

function Row({ group, exclusion: { citizen, reason, until, by }, excludes }: RowProps) {
  const { t, language } = useText();
  const read = useReadAgain();
  const name = useNamer()(citizen, useActiveIdentity().character.job.name);
  const params = { id: group, citizenId: citizen.id };
  const end = async () => {
    try {
      await api.call(endExclusion, { params });
      const undo = async () => {
        await api.call(exclude, { params, body: { reason, until } });
        await read();
      };
      offerUndo(t, { title: t("jobgroups.exclusions.ended", { name }), undo });
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await read();
  };
  return (
    <li>
      <span className={classes["about"]}>
        <span>{name}</span>
        <span className={classes["quiet"]}>{reason}</span>
        <span className={`${classes["line"]} ${classes["quiet"]}`}>
          {until !== null && <span>{t("jobgroups.until", { day: calendarDay(until, language) })}</span>}
          {by !== null && <span>{t("jobgroups.exclusions.by", { name: by })}</span>}
        </span>
      </span>
      {excludes && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("jobgroups.exclusions.endNamed", { name })}
          onClick={() => void end()}
        >
          {t("jobgroups.exclusions.end")}
        </Button>
      )}
    </li>
  );
}
