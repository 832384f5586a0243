import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "gauge",
	size: 24,
	node: [["path", {
		d: "m12 14 4-4",
		key: "9kzdfg"
	}], ["path", {
		d: "M3.34 19a10 10 0 1 1 17.32 0",
		key: "19p75a"
	}]]
};
__iconData.node;
const Gauge = createLucideIcon(__iconData);
export { __iconData, Gauge as default };
