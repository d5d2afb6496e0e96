import { useState, type FormEvent } from "react";
import { Button, MultiSelect, TextInput } from "@mantine/core";
import { IconUserShare } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { transport } from "#core/services.ts";
import { calendarDay } from "#core/time.ts";
import { CitizenSelect } from "#features/citizens/citizens.api.ts";
import { Bars, ProblemNote, RightHint } from "#ui/states.tsx";
import { type Delegation, useDelegations } from "./approvals.queries.ts";
import { kindText } from "./texts.ts";
import classes from "./approvals.module.css";

const DAY = 86_400_000;
const WEEK = 7 * DAY;

/** The day of an instant in the viewer's zone, as `YYYY-MM-DD`. */
function dayOf(instant: number): string {
  const date = new Date(instant);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first instant of a day in the viewer's zone, plus a number of days. */
function startOf(day: string, plus = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + plus).getTime();
}

/** Decisions that the viewer handed to somebody, or got. */
export function Delegations() {
  const { t } = useText();
  const mayChoose = useAbilities().has(citizensPermissions.list);
  const delegations = useDelegations();
  const [open, setOpen] = useState(false);
  const { query, end } = delegations;
  const { items = [], kinds = [] } = query.data ?? {};
  return (
    <section className={classes["delegations"]}>
      <div className={classes["head"]}>
        <h2>{t("approvals.panel.delegations")}</h2>
        {mayChoose && !open && kinds.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconUserShare size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t("approvals.panel.handOver")}
          </Button>
        )}
      </div>
      <p className={classes["quiet"]}>{t("approvals.panel.delegationsLead")}</p>
      {!mayChoose && <RightHint permission={citizensPermissions.list.id} />}
      {open && <HandOver kinds={kinds} delegations={delegations} onClose={() => setOpen(false)} />}
      {query.isPending && <Bars widths={["55%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {end.isError && <ProblemNote error={end.error} />}
      {query.isSuccess && items.length === 0 && <p>{t("approvals.panel.noDelegations")}</p>}
      <ul className={classes["list"]}>
        {items.map((item) => (
          <li key={item.id}>
            <One item={item} busy={end.isPending && end.variables === item.id} onEnd={() => end.mutate(item.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function One({ item, busy, onEnd }: { item: Delegation; busy: boolean; onEnd: () => void }) {
  const { t, language } = useText();
  const { given, by, to, kinds, from, until } = item;
  const day = (instant: number) => calendarDay(dayOf(instant), language);
  const name = given ? to : by;
  return (
    <div className={classes["delegation"]}>
      <div>
        <strong>{t(given ? "approvals.panel.givenTo" : "approvals.panel.gotFrom", { name })}</strong>
        <span className={classes["quiet"]}>
          {kinds.map((kind) => kindText(t, kind, "label")).join(", ")} ·{" "}
          {t("approvals.panel.span", { from: day(from), until: day(until - 1) })}
        </span>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        onClick={onEnd}
        aria-label={t(given ? "approvals.panel.endGiven" : "approvals.panel.endGot", { name })}
      >
        {t("approvals.panel.end")}
      </Button>
    </div>
  );
}

interface HandOverProps {
  readonly kinds: readonly string[];
  readonly delegations: ReturnType<typeof useDelegations>;
  onClose(): void;
}

function HandOver({ kinds, delegations: { create }, onClose }: HandOverProps) {
  const { t } = useText();
  const [to, setTo] = useState<{ id: number; name: string } | null>(null);
  const [chosen, setChosen] = useState<string[]>(kinds.length === 1 ? [...kinds] : []);
  const [from, setFrom] = useState(() => dayOf(transport.serverNow()));
  const [until, setUntil] = useState(() => dayOf(transport.serverNow() + WEEK));
  const ready = to !== null && chosen.length > 0 && from !== "" && until !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to === null) return;
    const body = { citizenId: to.id, kinds: chosen, from: startOf(from), until: startOf(until, 1) };
    create.mutate(body, { onSuccess: onClose });
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      {create.isError && <ProblemNote error={create.error} />}
      <CitizenSelect label={t("approvals.panel.to")} value={to} onChange={setTo} />
      <MultiSelect
        label={t("approvals.panel.kinds")}
        data={kinds.map((kind) => ({ value: kind, label: kindText(t, kind, "label") }))}
        value={chosen}
        onChange={setChosen}
        clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
      />
      <div className={classes["acts"]}>
        <TextInput type="date" label={t("approvals.panel.from")} value={from} onChange={(e) => setFrom(e.currentTarget.value)} />
        <TextInput
          type="date"
          label={t("approvals.panel.until")}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </div>
      <div className={classes["acts"]}>
        <Button type="submit" size="compact-sm" loading={create.isPending} disabled={!ready}>
          {t("approvals.panel.handOver")}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onClose}>
          {t("approvals.panel.cancel")}
        </Button>
      </div>
    </form>
  );
}
