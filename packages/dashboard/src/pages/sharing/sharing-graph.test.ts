import { describe, expect, it } from 'vitest';
import { layOut, ROW } from './sharing-graph.ts';

const sighting = (device: string, inbox: string, count = 1) => ({
  device,
  inbox,
  count,
  firstSeen: 1,
  lastSeen: 2,
});
const view = (sightings: ReturnType<typeof sighting>[]) => ({
  kind: 'device' as const,
  hash: 'd1',
  times: 1,
  others: 1,
  sightings,
  recent: [],
  listed: [],
});

describe('layOut', () => {
  it('draws each device and each inbox once, and a line for each pair', () => {
    const graph = layOut(view([sighting('d1', 'i1'), sighting('d1', 'i2'), sighting('d2', 'i2')]));
    expect(graph.devices.map(({ hash }) => hash).sort()).toEqual(['d1', 'd2']);
    expect(graph.inboxes.map(({ hash }) => hash).sort()).toEqual(['i1', 'i2']);
    expect(graph.edges).toHaveLength(3);
  });

  it('keeps the busiest and says how many it left out', () => {
    const many = Array.from({ length: 40 }, (_, index) => sighting('d1', `i${index}`, index + 1));
    const graph = layOut(view(many));
    expect(graph.inboxes[0]?.hash).toBe('i39');
    expect(graph.left).toBe(40 - graph.inboxes.length);
    expect(graph.height).toBe(graph.inboxes.length * ROW);
  });

  it('puts the one that was asked for first, however quiet it is', () => {
    const graph = layOut(view([sighting('d2', 'i1', 9), sighting('d1', 'i1', 1)]));
    expect(graph.devices.map(({ hash }) => hash)).toEqual(['d1', 'd2']);
  });

  it('puts no two nodes of a side on one another', () => {
    const graph = layOut(view([sighting('d1', 'i1'), sighting('d1', 'i2'), sighting('d1', 'i3')]));
    const places = graph.inboxes.map(({ y }) => y);
    expect(new Set(places).size).toBe(3);
  });
});
