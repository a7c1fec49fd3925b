-- Sends random requests from a file. Arguments: the file, with requests separated by a zero byte; the
-- placeholder to replace with a new UUID in every request; the random seed.
local requests, placeholder, isVaried = {}, nil, false
local sent = 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  for request in (file:read("*a") .. "\0"):gmatch("(.-)%z") do
    requests[#requests + 1] = request
  end
  file:close()
  placeholder = arguments[2]:gsub("%-", "%%-")
  isVaried = requests[1]:find(placeholder) ~= nil
  math.randomseed(tonumber(arguments[3]))
end

function request()
  local text = requests[#requests == 1 and 1 or math.random(#requests)]
  if not isVaried then return text end
  sent = sent + 1
  local id = string.format("%08x-0000-4000-8000-%012x", math.random(0, 2 ^ 31 - 1), sent)
  return (text:gsub(placeholder, id))
end

function done(summary, latency)
  local errors = summary.errors
  print(summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout)
end
