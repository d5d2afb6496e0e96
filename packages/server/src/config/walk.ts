import { child, isNull, type Place, type TreeNode } from "./tree.ts";

function keysOf(path: string): (string | number)[] {
  return path.split(".").flatMap((key) => {
    const list = /^(.*?)\[(\d+)\]$/.exec(key);
    return list ? [list[1]!, Number(list[2])] : [key];
  });
}

function step(node: TreeNode | null, key: string | number): { value: TreeNode; place: Place } | null {
  if (typeof key === "number") {
    const item = node?.kind === "list" ? node.items[key] : undefined;
    return item ? { value: item, place: item.place } : null;
  }
  const entry = child(node, key);
  return entry ? { value: entry.value, place: entry.keyPlace } : null;
}

/** The node of an option, or null when it is absent or empty. */
export function nodeAt(tree: TreeNode, path: string): TreeNode | null {
  let node: TreeNode | null = tree;
  for (const key of keysOf(path)) node = step(node, key)?.value ?? null;
  return node === null || isNull(node) ? null : node;
}

/** The source of an option's value, or of its nearest existing parent. */
export function placeOf(tree: TreeNode, path: string): Place {
  let place = tree.place;
  let node: TreeNode | null = tree;
  for (const key of keysOf(path)) {
    const next: { value: TreeNode; place: Place } | null = step(node, key);
    if (next === null) return place;
    place = next.place;
    node = next.value;
  }
  return node !== null && !isNull(node) ? node.place : place;
}
