import { useText } from "#core/i18n.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { writeValue } from "./plot.resolve.ts";
import type { ResolvedPlot } from "./plot.types.ts";
import classes from "./plot.module.css";

/** The numbers of a plot. */
export default function PlotTable({ plot, label }: { readonly plot: ResolvedPlot; readonly label: string }) {
  return (
    <ScrollArea className={classes["tableBox"]} label={label} sideways>
      {plot.kind === "heat" ? <HeatTable plot={plot} label={label} /> : <PointTable plot={plot} label={label} />}
    </ScrollArea>
  );
}

function PointTable({ plot, label }: { plot: ResolvedPlot; label: string }) {
  const { t, language } = useText();
  const { axis, points, series, marks, unit } = plot;
  return (
    <table className={classes["table"]}>
      <caption className="rc-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{axis}</th>
          {series.map((one) => (
            <th key={one.label} scope="col">
              {one.label}
            </th>
          ))}
          {marks && <th scope="col">{marks.label}</th>}
        </tr>
      </thead>
      <tbody>
        {points.map((point, index) => (
          <tr key={`${point.label} ${index}`}>
            <th scope="row">{point.label}</th>
            {series.map((one) => {
              const value = one.values[index] ?? null;
              return <td key={one.label}>{value === null ? t("web.plot.unknown") : writeValue(value, unit, language)}</td>;
            })}
            {marks && <td>{marks.at[index] ? t("web.plot.yes") : ""}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HeatTable({ plot, label }: { plot: ResolvedPlot; label: string }) {
  const { t, language } = useText();
  const { axis, rows, columns, series, unit, noteOf } = plot;
  const write = (value: number | null) => (value === null ? t("web.plot.unknown") : writeValue(value, unit, language));
  return (
    <table className={classes["table"]}>
      <caption className="rc-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{axis}</th>
          {columns.map((column) => (
            <th key={column.label} scope="col" title={column.label}>
              {column.short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            {columns.map((column, index) => {
              const place = at * columns.length + index;
              const note = noteOf(place);
              return (
                <td key={column.label}>
                  {write(series[0]?.values[place] ?? null)}
                  {note !== null && <small className={classes["note"]}>{note}</small>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
