import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "ban",
	size: 24,
	node: [["circle", {
		cx: "12",
		cy: "12",
		r: "10",
		key: "1mglay"
	}], ["path", {
		d: "M4.929 4.929 19.07 19.071",
		key: "196cmz"
	}]]
};
__iconData.node;
const Ban = createLucideIcon(__iconData);
export { __iconData, Ban as default };
