import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconAdjustments, IconChartBar, IconUserCheck, IconUserQuestion } from "@tabler/icons-react";
import { dutyExport, dutyPermissions } from "@rollcall/server/contract/duty";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { hasWords } from "#core/search.ts";
import { useProfileAddress } from "#features/citizens/citizens.api.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { countByJob, JobCounts } from "#ui/jobCounts.tsx";
import { Records } from "#ui/records.tsx";
import { narrowDuty, useDutyColumns } from "./columns.tsx";
import { useOnDuty } from "./duty.queries.ts";
import type { DutySearch } from "./duty.search.ts";
import OwnDutyPanel from "./own.tsx";
import { isUnseen, seenJobs } from "./people.ts";
import type { UnseenProps } from "./unseen.tsx";
import classes from "./duty.module.css";

const route = getRouteApi("/duty");

const Rules = part<{ onClose(): void }>(["duty"], () => import("./rules.tsx"));
const Unseen = part<UnseenProps>(["duty", "errors"], () => import("./unseen.tsx"));

/** Who is on duty now, in the jobs that the viewer may see. */
export default function DutyPage() {
  const { t } = useText();
  const search = route.useSearch() as DutySearch;
  const navigate = useNavigate();
  const jobLabel = useJobLabels();
  const addressOf = useProfileAddress();
  const { query, rows } = useOnDuty(true);
  const { rules, ...filters } = search;
  const { q, job } = filters;
  const identity = useActiveIdentity();
  const found = q === undefined ? rows : rows.filter((row) => hasWords(q, [row.name, row.job.label, row.job.gradeLabel]));
  const shown = job === undefined ? found : found.filter((row) => row.job.name === job);
  const choose = (next: string | undefined) => {
    const { job: _job, top: _top, ...rest } = filters;
    void navigate({ to: "/duty", search: next === undefined ? rest : { ...rest, job: next }, replace: true });
  };
  const counts = countByJob(
    found.map((row) => row.job.name),
    job,
    jobLabel,
  );
  const unseen = job !== undefined && isUnseen(job, identity) ? job : null;
  const nobody =
    job === undefined || q !== undefined
      ? { title: t("duty.nothing.title"), text: t("duty.nothing.text") }
      : { title: t("duty.nothing.ofJob", { job: jobLabel(job) }), text: t("duty.nothing.ofJobText") };
  return (
    <Records
      title={t("duty.title")}
      path="/duty"
      search={filters}
      selected={null}
      query={query}
      rows={shown}
      columns={useDutyColumns()}
      rowVersion={(row) => row.version}
      narrow={(row) => narrowDuty(t, row)}
      address={(row) => addressOf(row.id)}
      empty={{
        icon: IconUserCheck,
        title: t("duty.empty.title", { job: jobLabel(seenJobs(identity)[0]!) }),
        text: t("duty.empty.text"),
      }}
      unmatched={{ icon: IconUserQuestion, ...nobody }}
      count={t("duty.count", { count: shown.length })}
      total={shown.length}
      searchLabel={t("duty.searchLabel")}
      filters={[]}
      beside={
        <div className={classes["tools"]}>
          {unseen === null && <HoursButton job={job} />}
          <RulesButton
            opened={rules !== undefined}
            onOpened={(opened) =>
              void navigate({ to: "/duty", search: opened ? { ...filters, rules: "1" } : filters, replace: true })
            }
          />
        </div>
      }
      {...(unseen === null ? {} : { instead: <Unseen job={jobLabel(unseen)} onOther={() => choose(undefined)} /> })}
      above={
        <>
          <div className={classes["above"]}>
            <OwnDutyPanel />
          </div>
          <JobCounts counts={counts} chosen={job} onChoose={choose} />
        </>
      }
    />
  );
}

/** How long people were on duty, with the export of it; for those with the right to one of the two, that one alone. */
function HoursButton({ job }: { readonly job: string | undefined }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const abilities = useAbilities();
  if (!abilities.has(dutyPermissions.statistics)) {
    const mayExport = abilities.has(dutyPermissions.export) && !tablet;
    return mayExport && <ExportButton kind={dutyExport} filter={{ job: job ?? character.job.name }} />;
  }
  return (
    <Button
      variant="default"
      leftSection={<IconChartBar size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/duty/hours" {...(job === undefined ? {} : { search: { job } })} {...props} />}
    >
      {t("duty.hours.open")}
    </Button>
  );
}

/** For leaders: whether members go on duty by hand. */
function RulesButton({ opened, onOpened }: { readonly opened: boolean; onOpened(opened: boolean): void }) {
  const { t } = useText();
  const may = useAbilities().has(dutyPermissions.manage);
  const { character } = useActiveIdentity();
  if (!may) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAdjustments size={16} />}
        aria-haspopup="dialog"
        onPointerEnter={() => void Rules.load()}
        onClick={() => onOpened(true)}
      >
        {t("duty.rules.open")}
      </Button>
      {opened && <Rules key={character.job.name} onClose={() => onOpened(false)} />}
    </>
  );
}
