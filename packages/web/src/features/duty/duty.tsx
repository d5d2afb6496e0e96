import { useState } from "react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconAdjustments, IconUserCheck, IconUserQuestion } from "@tabler/icons-react";
import { dutyPermissions } from "@rollcall/server/contract/duty";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { part } from "#core/part.ts";
import { useProfileAddress } from "#features/citizens/citizens.api.ts";
import { countByJob, JobCounts } from "#ui/jobCounts.tsx";
import { Records } from "#ui/records.tsx";
import { narrowDuty, useDutyColumns } from "./columns.tsx";
import { useOnDuty } from "./duty.queries.ts";
import type { DutySearch } from "./duty.search.ts";
import OwnDutyPanel from "./own.tsx";
import { hasWords } from "./people.ts";
import classes from "./duty.module.css";

const route = getRouteApi("/duty");

const Rules = part<{ onClose(): void }>(["duty"], () => import("./rules.tsx"));

/** Who is on duty now, in the jobs that the viewer may see. */
export default function DutyPage() {
  const { t } = useText();
  const search = route.useSearch() as DutySearch;
  const navigate = useNavigate();
  const jobLabel = useJobLabels();
  const addressOf = useProfileAddress();
  const { query, rows } = useOnDuty(true);
  const { q, job } = search;
  const found = q === undefined ? rows : rows.filter((row) => hasWords(q, [row.name, row.job.label, row.job.gradeLabel]));
  const shown = job === undefined ? found : found.filter((row) => row.job.name === job);
  const choose = (next: string | undefined) => {
    const { job: _job, top: _top, ...rest } = search;
    void navigate({ to: "/duty", search: next === undefined ? rest : { ...rest, job: next }, replace: true });
  };
  const counts = countByJob(
    found.map((row) => row.job.name),
    job,
  );
  const nobody =
    job === undefined || q !== undefined
      ? { title: t("duty.nothing.title"), text: t("duty.nothing.text") }
      : { title: t("duty.nothing.ofJob", { job: jobLabel(job) }), text: t("duty.nothing.ofJobText") };
  return (
    <Records
      title={t("duty.title")}
      path="/duty"
      search={search}
      selected={null}
      query={query}
      rows={shown}
      columns={useDutyColumns()}
      rowVersion={(row) => row.version}
      narrow={(row) => narrowDuty(t, row)}
      address={(row) => addressOf(row.id)}
      empty={{ icon: IconUserCheck, title: t("duty.empty.title"), text: t("duty.empty.text") }}
      unmatched={{ icon: IconUserQuestion, ...nobody }}
      count={t("duty.count", { count: shown.length })}
      total={shown.length}
      searchLabel={t("duty.searchLabel")}
      filters={[]}
      beside={<RulesButton />}
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

/** For leaders: whether members go on duty by hand. */
function RulesButton() {
  const { t } = useText();
  const may = useAbilities().has(dutyPermissions.manage);
  const { character } = useActiveIdentity();
  const [opened, setOpened] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAdjustments size={16} />}
        aria-haspopup="dialog"
        onPointerEnter={() => void Rules.load()}
        onClick={() => setOpened(true)}
      >
        {t("duty.rules.open")}
      </Button>
      {opened && <Rules key={character.job.name} onClose={() => setOpened(false)} />}
    </>
  );
}
