import type { ReactNode } from "react";
import { Button } from "@mantine/core";
import { ProblemNote } from "./states.tsx";

/** Why a form could not be sent; nothing while there is nothing to say. */
export function FormProblem({ problem }: { problem: unknown }) {
  return problem === null || problem === undefined ? null : <ProblemNote error={problem} />;
}

interface SubmitProps {
  readonly busy: boolean;
  readonly children: ReactNode;
  readonly danger?: boolean;
  readonly small?: boolean;
  readonly wide?: boolean;
  readonly disabled?: boolean;
}

/** The button that sends a form, and shows that it is being sent. */
export function SubmitButton({ busy, children, danger = false, small = false, wide = false, disabled = false }: SubmitProps) {
  const look = { ...(danger ? { color: "danger" } : {}), ...(small ? { size: "compact-sm" } : {}) };
  return (
    <Button type="submit" loading={busy} disabled={disabled} fullWidth={wide} {...look}>
      {children}
    </Button>
  );
}
