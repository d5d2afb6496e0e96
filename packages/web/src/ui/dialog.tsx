import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { Modal } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { focusRecordNext, isFocusLost } from "./focus.ts";

interface DialogProps {
  readonly title: string;
  readonly size?: "lg";
  onClose(): void;
  readonly children: ReactNode;
}

/** Called by a dialog that opens in another one; what it returns is called when that one is gone. */
const Outer = createContext<() => () => void>(() => () => undefined);

/** A dialog that is open for as long as it is rendered. */
export function Dialog({ title, size, onClose, children }: DialogProps) {
  const { t } = useText();
  const [inner, setInner] = useState(0);
  const [register] = useState(() => () => {
    setInner((count) => count + 1);
    return () => setInner((count) => count - 1);
  });
  const outer = useContext(Outer);
  useEffect(() => outer(), [outer]);
  useReturnedFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      // Every open dialog of the library receives the key.
      closeOnEscape={inner === 0}
      title={title}
      {...(size === undefined ? {} : { size })}
      closeButtonProps={{ "aria-label": t("web.close") }}
    >
      <Outer value={register}>{children}</Outer>
    </Modal>
  );
}

/**
 * The library gives the focus back only to what had it before a dialog that was there, closed, before it opened. What had
 * it may be gone by then: it was deleted by the answer. Then what was around it gets the focus.
 */
export function useReturnedFocus(): void {
  const [before] = useState(() => aroundFocus());
  useEffect(
    () => () => {
      if (!isFocusLost()) return;
      const target = before.find(({ isConnected }) => isConnected);
      if (target) target.focus({ preventScroll: true });
      else focusRecordNext();
    },
    [before],
  );
}

/** What has the focus, and what can have it around that, the innermost first. */
function aroundFocus(): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let one = document.activeElement; one instanceof HTMLElement; one = one.parentElement)
    if (one !== document.body && (one === document.activeElement || one.hasAttribute("tabindex"))) found.push(one);
  return found;
}
