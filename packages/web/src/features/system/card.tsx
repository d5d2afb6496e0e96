import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { listAccounts } from "@rollcall/server/contract/accounts";
import { adminsWithoutFactor, signInRefusals } from "@rollcall/server/contract/auth";
import { listDeadTasks } from "@rollcall/server/contract/scheduler";
import { setupSync } from "@rollcall/server/contract/setup";
import { doctor, lastBackup, systemStatus } from "@rollcall/server/contract/system";
import { updateStatus } from "@rollcall/server/contract/updates";
import { type Translate, useText } from "#core/i18n.ts";
import { textOf } from "#core/messages.ts";
import { queryOf } from "#core/queries.ts";
import { CardLines, HomeCard } from "#ui/homeCard.tsx";
import { namesText } from "#ui/names.ts";
import { TimeAgo } from "#ui/small.tsx";
import { type Verdict, verdictOf } from "./verdict.ts";

/** Interval in which states and figures are read again. Milliseconds. */
const EVERY = 60_000;
/** The examination writes to the storage and calls the public address. */
const EXAMINED = 10 * EVERY;
/** Accounts of admins that are counted one by one. */
const LISTED = 50;

/** The verdict of the installation, and what needs an admin. */
export default function InstallationCard() {
  const { t } = useText();
  const examined = useQuery({ ...queryOf(doctor, {}), staleTime: EXAMINED, refetchInterval: EXAMINED, retry: false });
  const status = useQuery({ ...queryOf(systemStatus, {}), refetchInterval: EVERY });
  const own = useOwnLines(t);
  const facts = [...useAdminsLine(t), ...useBackupLine(t), ...useDataLine(t)];
  if (examined.isPending || !status.data) return null;
  const verdict = verdictOf(examined.data?.findings ?? [], status.data.parts);
  const lines = [
    ...verdict.others.map((one) => ({ key: one.id, line: <Link to="/panel/status">{textOfFinding(t, one)}</Link> })),
    ...own,
  ];
  const isFine = verdict.kind === "works" && lines.length === 0;
  return (
    <HomeCard
      title={t("system.card.title")}
      to="/panel/status"
      action={t("system.card.look")}
      sentence={examined.isError && isFine ? t("system.card.unknown") : sentenceOf(t, verdict, lines.length)}
    >
      <CardLines lines={[...lines, ...facts]} all />
    </HomeCard>
  );
}

function textOfFinding(t: Translate, { id, params }: Verdict["others"][number]): string {
  const [feature = "", name = ""] = id.split(".");
  return textOf(t, `${feature}.findings.${name}.text`, params) ?? id;
}

/** `count`: how many things are named below the sentence. */
function sentenceOf(t: Translate, verdict: Verdict, count: number): string {
  if (verdict.kind === "works") return count === 0 ? t("system.card.fine") : t("system.card.warnings", { count });
  const worst = verdict.kind === "parts" ? t("system.card.broken", { count: verdict.count }) : textOfFinding(t, verdict.finding);
  return count > 0 ? `${worst} ${t("system.card.more", { count })}` : worst;
}

/** What else needs a look, each with the page where something is done about it. */
function useOwnLines(t: Translate) {
  const every = { refetchInterval: EVERY };
  const dead = useQuery({ ...queryOf(listDeadTasks, { query: {} }), ...every }).data?.total ?? 0;
  const refused = useRefusedToday();
  const { accounts = [], total = 0 } = useQuery(queryOf(adminsWithoutFactor, {})).data ?? {};
  const available = useQuery(queryOf(updateStatus, {})).data?.available ?? null;
  const names = accounts.map(({ username }) => username).join(", ");
  const lines: { key: string; line: ReactNode }[] = [];
  if (dead > 0) {
    lines.push({ key: "dead", line: <Link to="/panel/schedule">{t("scheduler.dead.waiting", { count: dead })}</Link> });
  }
  if (refused > 0)
    lines.push({ key: "refused", line: <Link to="/panel/status">{t("system.card.refused", { count: refused })}</Link> });
  if (total > 0) {
    const text = t("system.card.factor", { count: total, names: total > accounts.length ? `${names}, …` : names });
    const search = { only: "admins" };
    lines.push({
      key: "factor",
      line: (
        <Link to="/panel/accounts" search={search}>
          {text}
        </Link>
      ),
    });
  }
  if (available) {
    const text = t("system.card.version", { version: available.version });
    lines.push({ key: "version", line: <Link to="/panel/status">{text}</Link> });
  }
  return lines;
}

/** When the game server last sent something; it is said whether that needs a look or not. */
function useDataLine(t: Translate) {
  const { data } = useQuery({ ...queryOf(setupSync, {}), refetchInterval: EVERY });
  if (!data?.enabled) return [];
  const at = data.lastDataAt;
  return [{ key: "data", line: at === null ? <span>{t("system.card.noData")}</span> : <Age of="data" at={at} /> }];
}

/** Who holds admin powers, so that one who should not is noticed. */
function useAdminsLine(t: Translate) {
  const { data } = useQuery(queryOf(listAccounts, { query: { only: "admins", limit: LISTED } }));
  const holders = (data?.items ?? []).filter(({ admin, enabled }) => admin !== null && enabled);
  if (data === undefined || holders.length === 0) return [];
  // Accounts that the list names are more than those that hold powers: some wait, and some are disabled.
  const count = data.next === null ? holders.length : data.total;
  const names = namesText(
    t,
    holders.map(({ username, licence }) => username ?? licence),
    count,
    3,
  );
  return [
    {
      key: "admins",
      line: (
        <Link to="/panel/accounts" search={{ only: "admins" }}>
          {t("system.card.admins", { count, names })}
        </Link>
      ),
    },
  ];
}

/** When the last backup was made that was read back. */
function useBackupLine(t: Translate) {
  const { data } = useQuery({ ...queryOf(lastBackup, {}), refetchInterval: EXAMINED });
  if (!data) return [];
  const line = data.at === null ? <span>{t("system.card.noBackup")}</span> : <Age of="backup" at={data.at} />;
  return [{ key: "backup", line }];
}

function Age({ of, at }: { of: "backup" | "data"; at: number }) {
  const { t } = useText();
  return (
    <>
      <span>{t(`system.card.${of}`)}</span>
      <TimeAgo instant={at} />
    </>
  );
}

/** How many sign-ins were refused since midnight of the viewer. */
function useRefusedToday(): number {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { data } = useQuery({ ...queryOf(signInRefusals, { query: { days: 1, zone } }), refetchInterval: EXAMINED });
  return (data?.days.at(-1)?.counts ?? []).reduce((all, one) => all + one, 0);
}
