"""Legal settings of a random spec, under each of which its bits must be the same."""


def listed_order(rng, names):
    """Returns a list of the axes, some from their end, some in groups."""
    names = rng.sample(names, len(names))
    parts = [rng.choice(("", "-")) + name for name in names]
    for name in names:
        if rng.random() < 0.5:
            at = rng.randint(0, next(i for i, part in enumerate(parts) if part.lstrip("-") == name))
            parts.insert(at, f"{{axis: {name}, width: {rng.choice((1, 2, 3))}}}")
    return f"[{', '.join(parts)}]"


def choices(k):
    """Returns settings to try besides the default: one or two without a producer, one or two with one."""
    rng = k.rng
    order = {"tile_order": "column"}
    if len(k.axes) == 2 and not k.gridless and k.chance(0.5):
        order = {"tile_order": f"{{axis: {rng.choice(k.axes).name}, width: {rng.choice((1, 2, 3))}}}"}
    if k.axes and not k.gridless and k.chance(0.3):
        order = {"tile_order": listed_order(rng, [axis.name for axis in k.axes])}
    loops = any("- for: s" in line for line in k.body)
    persistent = rng.choice(("true", "dynamic"))
    alone = [{"pipeline": {"stages": 0}}, {"schedule": {"persistent": persistent}}, {"schedule": order},
             {"schedule": {"persistent": "true", "num_ctas": rng.choice((1, 2, 3))} | order},
             {"schedule": {"dependent_launch": "true"}}]
    if k.axes and not k.gridless and not loops:
        together = {"programs_per_cta": rng.choice((2, 3, 8))}
        alone.append({"schedule": together | rng.choice(({}, {"tile_order": "column"}))})
    if k.schedule:  # all programs at once: no CTA may take several
        alone = [chosen for chosen in alone if "persistent" not in chosen.get("schedule", {})]
    if k.steps and in_registers(k):
        n, delay = rng.choice(((2, 0), (3, 0), (3, 1), (4, 2), (1, 0), (2, 1)))
        ahead = [{"pipeline": {"stages": n}}, {"pipeline": {"stages": "auto"}}, {"pipeline": {"stages": 3, "prefetch": 1}},
                 {"pipeline": {"stages": n, "delay_release": delay}, "schedule": {"persistent": "true"}}]
        if k.rings:
            ahead.append({"pipeline": {"stages": 2}, "refs": {rng.choice(k.rings): own(rng, 2)}})
            ahead.append({"refs": {rng.choice(k.rings): own(rng, 2)}})
        alone += ahead * 2
    if loops:
        alone += [{"pipeline": {"stages": n}} for n in (1, 2, 3, "auto")] * 2
    chosen = rng.sample(alone, 2)
    if not k.producer or not (k.rings or loops) or k.keys["target"] not in ("sm_90a", "sm_120a"):
        return chosen
    producer = {"warp_specialized": "true"}
    of_rows = [n for n in (1, 2, 3) if k.warpgroups and k.warpgroups % n == 0]
    groups = rng.choice(of_rows or (1, 1, 1, 2) if any("space: acc" in line for line in k.lines["scratch"]) else (1, 1, 2, 2, 3))
    beside = [{"pipeline": {"stages": n, "compute_warpgroups": groups} | producer} for n in (1, 2, 4)]
    beside += [{"pipeline": {"stages": "auto"} | producer}, {"pipeline": dict(producer)}]
    beside += [{"pipeline": {"stages": 2} | producer, "schedule": {"persistent": persistent} | (order if k.chance(0.5) else {})}] * 2
    if k.rings:
        beside.append({"pipeline": {"stages": 3} | producer, "refs": {rng.choice(k.rings): own(rng, 1)}})
    if len(k.steps) == 1 or (not k.steps and loops):
        beside += [{"pipeline": {"stages": rng.choice((2, 3)), "compute_warpgroups": groups, "delay_release": 1} | producer}] * 2
    if k.warpgroups:
        beside = [{key: keys | ({"compute_warpgroups": rng.choice(of_rows)} if key == "pipeline" else {})
                   for key, keys in chosen.items()} for chosen in beside]
        return chosen[:1] + rng.sample(beside, 2)
    return chosen[:1 + k.chance(0.5)] + rng.sample(beside, 1 + k.chance(0.5))


def in_registers(k):
    """True if, by the text, threads without a producer may copy ahead: bodies that compute per element do not."""
    text = k.text()
    return not any(word in text for word in ("space: gmem", "space: smem", "workspace:", "checks:", "random_bits", "uniform",
                                             "normal(", "dot(", " @ ")) or k.chance(0.1)


def own(rng, most):
    """Returns stages of one operand, with a delay that is below them."""
    stages = rng.choice((2, 3, 4))
    delay = min(rng.randrange(most + 1), stages - 1)
    return {"stages": stages} | ({"delay_release": delay} if delay else {})


def text_with(text, base, chosen):
    """Returns the spec's text under `chosen`, added to the schedule that the kernel itself needs."""
    for name, keys in chosen.get("refs", {}).items():
        lines = text.split("\n")
        for i, line in enumerate(lines):
            if line.startswith(f"  {name}: {{"):
                lines[i] = line[:-1] + "".join(f", {key}: {value}" for key, value in keys.items()) + "}"
        text = "\n".join(lines)
    sections = {"pipeline": chosen.get("pipeline", {}), "schedule": base | chosen.get("schedule", {})}
    made = "".join(f"{section}: {{{', '.join(f'{k}: {v}' for k, v in keys.items())}}}\n"
                   for section, keys in sections.items() if keys)
    return text.replace("body:\n", made + "body:\n", 1)
