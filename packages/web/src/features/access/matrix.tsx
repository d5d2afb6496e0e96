import { useDeferredValue, useRef, useState, type KeyboardEvent } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { accessCatalogue, putRole, roleMatrix, undoRole } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import { permissionName, problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { hasNothing, queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { offerUndo } from "#ui/confirm.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { savedText } from "./affected.ts";
import { featureName, found, grouped, withGrant, type GrantChoice, type Permission } from "./grants.ts";
import { Cell, type GradeRole } from "./matrixCell.tsx";
import { RowNames } from "./naming.tsx";
import { grantAs } from "./permissionRow.tsx";
import { useChange } from "./role.tsx";
import access from "./access.module.css";
import classes from "./matrix.module.css";

/** Keys that move between cells: by columns and rows. */
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Every grade of a job and every permission at a glance; a cell is a choice of its grade's role. */
export function Matrix({ job, onOpen }: { job: string; onOpen: (grade: string) => void }) {
  const catalogue = useQuery({ ...queryOf(accessCatalogue, {}), staleTime: 300_000 });
  const matrix = useQuery(queryOf(roleMatrix, { params: { job } }));
  if (hasNothing(matrix)) return <ProblemNote error={matrix.error} onRetry={() => void matrix.refetch()} />;
  if (hasNothing(catalogue)) return <ProblemNote error={catalogue.error} onRetry={() => void catalogue.refetch()} />;
  if (!matrix.data || !catalogue.data) return <Bars widths={["40%", "90%", "80%", "85%"]} />;
  const grades = matrix.data.grades.toSorted((a, b) => a.grade - b.grade);
  return (
    <RowNames permissions={catalogue.data.permissions} labels={matrix.data.labels}>
      <Table job={job} grades={grades} permissions={catalogue.data.permissions} onOpen={onOpen} />
    </RowNames>
  );
}

/** Saves one choice at once, and says whom it affected, with the way back. */
function useChoice(job: string) {
  const { t } = useText();
  const change = useChange();
  const queries = useQueryClient();
  const reading = async <T,>(work: () => Promise<T>) => {
    try {
      return await change(work);
    } finally {
      await queries.invalidateQueries({ queryKey: [roleMatrix.id] });
    }
  };
  return async ({ grade, grants, role }: GradeRole, permission: string, choice: GrantChoice) => {
    const params = { job, grade };
    const body = { version: role?.version ?? 0, grants: withGrant(grants, permission, grantAs(choice, grants[permission])) };
    try {
      const { affected, version } = await reading(async () => await api.call(putRole, { params, body }));
      const undo = async () => await reading(async () => await api.call(undoRole, { params: { ...params, version } }));
      offerUndo(t, { title: savedText(t, affected), undo });
    } catch (error) {
      showToast({ tone: "danger", title: t("access.matrix.notSaved"), text: problemMessage(t, asProblem(error)) });
    }
  };
}

type Place = readonly [column: number, row: number];

/** The one cell that Tab reaches, and the arrow keys that move it. */
function useCells(columns: number, rows: number) {
  const [kept, setActive] = useState<Place>([0, 0]);
  const table = useRef<HTMLTableElement>(null);
  // A search leaves fewer rows.
  const active: Place = [Math.min(kept[0], columns - 1), Math.min(kept[1], rows - 1)];
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const cell = table.current?.querySelector<HTMLButtonElement>(`[data-cell="${active[0] + step[0]},${active[1] + step[1]}"]`);
    if (!cell) return;
    event.preventDefault();
    cell.focus();
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  return { table, move, setActive, isActive: (column: number, row: number) => column === active[0] && row === active[1] };
}

interface TableProps {
  readonly job: string;
  /** Lowest first. */
  readonly grades: readonly GradeRole[];
  readonly permissions: readonly Permission[];
  onOpen(grade: string): void;
}

function Table({ job, grades, permissions, onOpen }: TableProps) {
  const { t } = useText();
  const choose = useChoice(job);
  const [text, setText] = useState("");
  const groups = grouped(found(t, permissions, useDeferredValue(text)));
  const rows = groups.flatMap((group) => group.permissions);
  const { table, move, setActive, isActive } = useCells(grades.length, rows.length);
  const cellsOf = (permission: Permission, row: number) =>
    grades.map((grade, column) => (
      <td key={grade.grade}>
        <Cell
          at={`${column},${row}`}
          tabbable={isActive(column, row)}
          permission={permission}
          grade={grade}
          below={grades[column - 1]}
          onKeyDown={move}
          onFocus={() => setActive([column, row])}
          onChoose={async (choice) => await choose(grade, permission.id, choice)}
          onOpen={() => onOpen(String(grade.grade))}
        />
      </td>
    ));
  return (
    <div className={classes["matrix"]}>
      <TextInput
        className={access["find"] ?? ""}
        aria-label={t("access.find")}
        placeholder={t("access.find")}
        leftSection={<IconSearch size={15} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes["scroller"]} data-sideways>
        <table ref={table} className={classes["table"]} aria-label={t("access.matrix.title")}>
          <thead>
            <tr>
              <th scope="col">{t("access.matrix.permission")}</th>
              {grades.map(({ grade, label }) => (
                <th key={grade} scope="col">
                  <span className={access["quiet"]}>{grade}</span> {label}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group.feature}>
              <tr className={classes["group"]}>
                <th scope="rowgroup" colSpan={grades.length + 1}>
                  <span>{featureName(t, group.feature)}</span>
                </th>
              </tr>
              {group.permissions.map((permission) => (
                <tr key={permission.id}>
                  <th scope="row">{permissionName(t, permission.id)}</th>
                  {cellsOf(permission, rows.indexOf(permission))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
        {rows.length === 0 && <p className={access["quiet"]}>{t("access.noneFound")}</p>}
      </div>
    </div>
  );
}
