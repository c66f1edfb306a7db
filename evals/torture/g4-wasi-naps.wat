(component
  ;; It neither computes nor sleeps for long: the naps add up.
  (import "wasi:io/poll@0.2.0" (instance $poll
    (export "pollable" (type $pollable (sub resource)))
    (export "[method]pollable.block" (func (param "self" (borrow $pollable))))))
  (alias export $poll "pollable" (type $pollable))
  (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock
    (alias outer 1 $pollable (type $pollable'))
    (export "pollable" (type $pollable (eq $pollable')))
    (export "subscribe-duration" (func (param "when" u64) (result (own $pollable))))))
  (core func $subscribe (canon lower (func $clock "subscribe-duration")))
  (core func $block (canon lower (func $poll "[method]pollable.block")))
  (core func $drop (canon resource.drop $pollable))
  (core module $module
    (import "host" "subscribe" (func $subscribe (param i64) (result i32)))
    (import "host" "block" (func $block (param i32)))
    (import "host" "drop" (func $drop (param i32)))
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (func (export "run") (param i32) (result i32)
      (local $nap i32)
      (loop $again
        (local.set $nap (call $subscribe (i64.const 1000000)))
        (call $block (local.get $nap))
        (call $drop (local.get $nap))
        (br $again))
      (unreachable)))
  (core instance $main (instantiate $module
    (with "host" (instance
      (export "subscribe" (func $subscribe)) (export "block" (func $block)) (export "drop" (func $drop))))))
  ;; frame
)
