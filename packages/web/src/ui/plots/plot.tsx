import { useEffect, useEffectEvent, useId, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import type { SeenAnswer } from "#core/seen.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import type { Drawing } from "./drawing.ts";
import { describePoint, isEmpty, resolvePlot, summaryOf } from "./plot.resolve.ts";
import { moved } from "./plot.scale.ts";
import type { PlotDefinition, ResolvedPlot } from "./plot.types.ts";
import classes from "./plot.module.css";

/** What draws each kind, in chunks of their own: a page of bars does not load the library of lines. */
const drawings = {
  line: part<Drawing>([], () => import("./line.tsx")),
  bars: part<Drawing>([], () => import("./bars.tsx")),
  heat: part<Drawing>([], () => import("./heat.tsx")),
} as const;
const PlotTable = part<{ readonly plot: ResolvedPlot; readonly label: string }>([], () => import("./table.tsx"));

/** How far below the window a plot is loaded already. */
const EARLY = "200px";

/** Calls `onSeen` when the element comes into view for the first time. */
function useSeen(element: RefObject<HTMLElement | null>, onSeen: () => void): void {
  const call = useEffectEvent(onSeen);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        call();
      },
      { rootMargin: EARLY },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
}

interface PlotProps<D> {
  readonly of: PlotDefinition<D>;
  /** From `useSeenQuery`. */
  readonly answer: SeenAnswer<D>;
  /** Replaces the title, where several of one kind are on a page. */
  readonly title?: string;
}

/** A plot with its title, a sentence that sums it up, the value at the cursor, and its numbers as a table. */
export function Plot<D>({ of, answer, title }: PlotProps<D>) {
  const { t } = useText();
  const root = useRef<HTMLElement>(null);
  const { data, error, retrying, seen, onSeen, onRetry } = answer;
  useSeen(root, onSeen);
  const name = title ?? t(of.title);
  return (
    <figure className={classes["plot"]} ref={root} data-kind={of.kind}>
      <figcaption className={classes["title"]}>{name}</figcaption>
      {data === undefined && error === null && (
        <div className={classes["waiting"]}>{seen && <Bars widths={["90%", "70%", "80%"]} />}</div>
      )}
      {error !== null && <ProblemNote error={error} about={name} onRetry={onRetry} retrying={retrying} />}
      {data !== undefined && <Shown definition={of} data={data} name={name} />}
    </figure>
  );
}

function Shown<D>({ definition, data, name }: { definition: PlotDefinition<D>; data: D; name: string }) {
  const { t, language } = useText();
  const [table, setTable] = useState(false);
  const id = useId();
  // What draws it starts again with another plot, and a page that is read again by itself is rendered often.
  const plot = useMemo(() => resolvePlot(definition, data, t, language), [definition, data, t, language]);
  if (isEmpty(plot)) return <p className={classes["quiet"]}>{t(definition.empty)}</p>;
  return (
    <>
      <p id={id} className={classes["quiet"]}>
        {summaryOf(plot, t, language)}
      </p>
      <Surface plot={plot} name={name} summaryId={id} />
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTable size={14} />}
        aria-expanded={table}
        onClick={() => setTable(!table)}
      >
        {t(table ? "web.plot.hideTable" : "web.plot.showTable")}
      </Button>
      {table && <PlotTable plot={plot} label={name} />}
    </>
  );
}

/**
 * The drawing as one slider over its points: arrow keys move the cursor, and a screen reader says the value there. Its
 * lines and cells mean nothing to a screen reader; the sentence above and the table say the same.
 */
function Surface({ plot, name, summaryId }: { plot: ResolvedPlot; name: string; summaryId: string }) {
  const { t, language } = useText();
  const [chosen, setChosen] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const last = plot.points.length - 1;
  const at = Math.min(chosen ?? last, last);
  const shown = pointed ?? (chosen === null ? null : at);
  const Drawn = drawings[plot.kind];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = moved(event.key, at, last + 1, plot.columns.length || last + 1);
    if (target === null) return;
    // The page has shortcuts of its own for these keys.
    event.preventDefault();
    event.stopPropagation();
    setPointed(null);
    setChosen(target);
  };
  return (
    <>
      <div
        className={classes["surface"]}
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-roledescription={t("web.plot.kind")}
        aria-describedby={summaryId}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={describePoint(plot, at, t, language)}
        onFocus={() => setChosen(at)}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setPointed(null)}
      >
        <Drawn plot={plot} language={language} t={t} active={shown} onPoint={setPointed} onChoose={setChosen} />
      </div>
      <div className={classes["readout"]} data-testid="readout">
        {shown === null ? (
          <span className={classes["quiet"]}>{t("web.plot.hint")}</span>
        ) : (
          <>
            <span className="rc-number">{describePoint(plot, shown, t, language)}</span>
            {plot.links(shown).map(({ label, to, search }) => (
              <Link key={label} to={to} search={search as never}>
                {label}
              </Link>
            ))}
          </>
        )}
      </div>
    </>
  );
}
